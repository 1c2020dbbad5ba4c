import { concatHex, type Hex } from 'viem';
import { hexOf } from '../../../../kernel/text/hex.js';

/**
 * A program that is never deployed, as the one for balances of coin (`evm/node/balance-call.ts`): it asks the token for the
 * balance of each address that follows and returns them as its "code". A token that does not answer reverts the whole.
 *
 *     mem[32] = token (20 bytes after the program)      mem[0] = selector of balanceOf(address)
 *     dst = 64, src = its own length + 20
 *     while (src != codesize) {
 *       codecopy(16, src, 20)                           the argument, right-aligned behind the selector
 *       if (!staticcall(gas, token, 0, 36, dst, 32) || returndatasize < 32) revert(0, 0)
 *       src += 20; dst += 32
 *     }
 *     return(64, dst - 64)
 */
const PROGRAM: Hex =
  '0x60146056602c396020516370a0823160e01b600052604060566014015b38811460475760148160103960208260246000865afa1560203d10176050576014019060200190601c565b50604090036040f35b60006000fd';

/** Each is a call of its own for the token's contract: so many stay below the gas that nodes grant a question. */
export const MOST_TOKEN_BALANCES_PER_CALL = 500;

export function tokenBalanceCall(token: string, addresses: readonly string[]): Hex {
  return concatHex([PROGRAM, hexOf(token), ...addresses.map(hexOf)]);
}
