import { type Address, concatHex, getAddress, type Hex, keccak256, sliceHex, stringToHex } from 'viem';
import { type DepositOf, saltPreimage } from '../deposit-salt.pure.js';
import { forwarder, forwarderFactory } from '../forwarders.types.js';

/**
 * The code that creates a deposit address's own code. `contracts/ForwarderFactory.sol` says what each byte does; a
 * destination is part of it, so that no other can ever be paid from the address.
 */
export function forwarderInitCode(destination: Address): Hex {
  return concatHex([
    '0x60473d8160093d39f336600557005b363d3d373d3d3d363d73',
    forwarder.address,
    '0x5af43d82803e903d91603157fd5bf3',
    destination,
  ]);
}

/**
 * One address for each quote (ADR 6). Of public facts alone, so that whoever knows them and the destination finds the
 * address without us.
 */
export function depositSalt(of: DepositOf): Hex {
  return keccak256(stringToHex(saltPreimage(of)));
}

/**
 * Where money for a destination and a salt goes, on every network (EIP-1014). Nothing needs to be deployed there.
 * @param salt 32 bytes
 */
export function forwarderAddress(destination: Address, salt: Hex): Address {
  const codeHash = keccak256(forwarderInitCode(destination));
  const hash = keccak256(concatHex(['0xff', forwarderFactory.address, salt, codeHash]));
  return getAddress(sliceHex(hash, 12));
}
