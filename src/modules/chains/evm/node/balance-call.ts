import { concatHex, type Hex, hexToBigInt, sliceHex } from 'viem';
import { hexOf } from '../../../../kernel/text/hex.js';

/** What the program may return in one go: a contract's code is at most 24,576 bytes (EIP-170), 32 for each balance. */
export const MOST_BALANCES_PER_CALL = 700;

/**
 * A program that is never deployed: as the "creation" of an eth_call it reads the addresses that follow it and returns
 * their balances as its "code". One request instead of hundreds, on any EVM, and no contract has to exist there.
 *
 *     src = 0x27 (its own length)            PUSH1 27
 *     dst = 0                                PUSH1 00
 *     while (src != codesize) {              JUMPDEST  DUP2 CODESIZE EQ PUSH1 23 JUMPI
 *       codecopy(dst + 12, src, 20)          PUSH1 14 DUP3 DUP3 PUSH1 0c ADD CODECOPY
 *       mem[dst] = balance(mem[dst])         DUP1 MLOAD BALANCE DUP2 MSTORE
 *       dst += 32; src += 20                 PUSH1 20 ADD SWAP1 PUSH1 14 ADD SWAP1 PUSH1 04 JUMP
 *     }
 *     return(0, dst)                         JUMPDEST PUSH1 00 RETURN
 */
const PROGRAM: Hex = '0x602760005b81381460235760148282600c0139805131815260200190601401906004565b6000f3';

/** The same with EXTCODEHASH in the place of BALANCE. */
const ACCOUNTS_PROGRAM: Hex =
  '0x602760005b81381460235760148282600c013980513f815260200190601401906004565b6000f3';

export function balanceCall(addresses: readonly string[]): Hex {
  return concatHex([PROGRAM, ...addresses.map(hexOf)]);
}

export function accountCall(addresses: readonly string[]): Hex {
  return concatHex([ACCOUNTS_PROGRAM, ...addresses.map(hexOf)]);
}

/** @returns `null` for an answer of another size, as of a node that takes the program for something else */
export function balancesOf(answer: Hex, addresses: number): bigint[] | null {
  if (answer.length !== 2 + addresses * 64) return null;
  return Array.from({ length: addresses }, (_, i) => hexToBigInt(sliceHex(answer, i * 32, i * 32 + 32)));
}
