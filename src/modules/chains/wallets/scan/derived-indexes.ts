import { setImmediate } from 'node:timers/promises';
import type { NetworkConfig } from '../../../../config/config.types.js';
import { deriveAddress } from '../../domain/addresses/derive-address.js';

/** Up to half a millisecond each: requests and the watcher get their turn in between. */
const DERIVED_IN_A_ROW = 16;

type Addresses = ReadonlyMap<string, { readonly index: number; readonly address: string }>;

/** The addresses of a range of indexes, derived once for all networks that write them alike. */
export class DerivedIndexes {
  private readonly known = new Map<string, Promise<Addresses>>();

  constructor(
    private readonly xpub: string,
    private readonly from: number,
    private readonly to: number,
    private readonly without: ReadonlySet<number>,
  ) {}

  /** By address as the chains write it. */
  on(network: Pick<NetworkConfig, 'family' | 'chain'>): Promise<Addresses> {
    const kind = `${network.family} ${network.chain}`;
    const known = this.known.get(kind) ?? this.derive(network);
    this.known.set(kind, known);
    return known;
  }

  private async derive(network: Pick<NetworkConfig, 'family' | 'chain'>): Promise<Addresses> {
    const addresses = new Map<string, { index: number; address: string }>();
    for (let index = this.from; index < this.to; index += 1) {
      if (this.without.has(index)) continue;
      if (index % DERIVED_IN_A_ROW === 0) await setImmediate();
      const { address, watchedAddress } = deriveAddress(network, this.xpub, index);
      addresses.set(watchedAddress, { index, address });
    }
    return addresses;
  }
}
