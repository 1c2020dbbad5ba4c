import { setImmediate } from 'node:timers/promises';
import type { NetworkConfig } from '../../../config/config.types.js';
import { deriveAddress } from '../domain/addresses/derive-address.js';
import type { UnissuedIndexes } from './data/reconciliation.repository.js';

/** An address of a key that this database never issued. */
export interface UnissuedAddress {
  readonly address: string;
  readonly key: { readonly id: string; readonly index: number };
}

/** Up to half a millisecond each: requests and the watcher get their turn in between. */
const DERIVED_IN_A_ROW = 16;

export async function unissuedAddresses(
  network: Pick<NetworkConfig, 'family' | 'chain'>,
  keys: readonly UnissuedIndexes[],
): Promise<UnissuedAddress[]> {
  const derived: UnissuedAddress[] = [];
  for (const { id, xpub, indexes } of keys) {
    for (const index of indexes) {
      if (derived.length % DERIVED_IN_A_ROW === 0) await setImmediate();
      derived.push({ address: deriveAddress(network, xpub, index).watchedAddress, key: { id, index } });
    }
  }
  return derived;
}
