import { type Address, getAddress, isAddress, zeroAddress } from 'viem';
import type { NetworkConfig } from '../../../config/config.types.js';
import { looksPrivate } from '../../../kernel/private-key.js';
import { invalidDestination, noForwarders, privateKeyRefused } from '../chains.errors.js';
import { DETERMINISTIC_DEPLOYER } from '../factory-deployment.types.js';
import { forwarder, forwarderFactory } from '../forwarders.types.js';

/** Chains whose CREATE2 gives other addresses than EIP-1014 does: the ZK stack hashes bytecode its own way. */
const OTHER_CREATE2: ReadonlySet<number> = new Set([
  324, // zkSync Era
  300, // its test network
  2741, // Abstract
  11124, // its test network
  232, // Lens
  37111, // its test network
  388, // Cronos zkEVM
  282, // its test network
  50104, // Sophon
  531050104, // its test network
  810180, // zkLink Nova
  325, // GRVT
  61166, // Treasure
  543210, // ZERO
  728126428, // Tron
]);

/** Below are precompiled contracts and what rollups keep for themselves. */
const FIRST_ORDINARY = 0x1_0000n;
const BURNED = '0x000000000000000000000000000000000000dead';

/** @throws DomainError `no-deposit-addresses` where deposit addresses without keys cannot be */
export function mustHaveForwarders({ name, family, chainId }: NetworkConfig): void {
  if (family !== 'evm')
    throw noForwarders(name, 'deposit addresses that pay out to one address are for EVM networks');
  if (chainId !== null && OTHER_CREATE2.has(chainId)) {
    throw noForwarders(
      name,
      'it computes contract addresses in its own way, so money could not be collected',
    );
  }
}

/**
 * An address that a merchant wants its money to be paid out to.
 * @param networks all of the instance: their tokens' contracts are no wallets
 * @throws DomainError `invalid-destination`, `private-key-refused`
 */
export function parseDestination(text: string, networks: readonly NetworkConfig[]): Address {
  const typed = text.trim();
  if (looksPrivate(typed)) throw privateKeyRefused();
  const digits = typed.slice(2);
  if (!/^0x[0-9a-fA-F]{40}$/.test(typed)) {
    throw invalidDestination('it is not an address of an EVM network (0x and 40 digits)');
  }
  const isUnchecked = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (!isUnchecked && !isAddress(typed)) {
    throw invalidDestination('its checksum is wrong, so a letter or digit was mistyped; copy it again');
  }
  const destination = getAddress(`0x${digits.toLowerCase()}`);
  const refusal = whyNotPayable(destination, networks);
  if (refusal) throw invalidDestination(refusal);
  return destination;
}

/** Why nothing may be paid to an address of an EVM network, whoever typed it. */
export function whyNotPayable(destination: Address, networks: readonly NetworkConfig[]): string | null {
  if (destination === zeroAddress || destination.toLowerCase() === BURNED) {
    return 'nobody has its key, so what is paid there is lost';
  }
  if (BigInt(destination) < FIRST_ORDINARY)
    return 'it belongs to the network itself, so what is paid there is lost';
  const ours = [forwarderFactory.address, forwarder.address, DETERMINISTIC_DEPLOYER];
  if (ours.some((one) => getAddress(one) === destination)) {
    return 'it is a contract behind the deposit addresses, from which nothing comes back';
  }
  for (const { name, family, assets } of networks) {
    const token = assets.find(({ contract }) => contract !== null && getAddress(contract) === destination);
    if (family === 'evm' && token) {
      return `it is the contract of ${token.symbol} on ${name}, from which nothing comes back`;
    }
  }
  return null;
}
