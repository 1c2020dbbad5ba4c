import type { NetworkConfig } from '../../../../config/config.types.js';
import { entryAt } from '../../../../kernel/lookups.js';
import type { EvmAssets } from '../../evm/coin/credits.js';
import type { ReconciliationRepository } from '../data/reconciliation.repository.js';
import type { AgreedBlock, Difference, Part } from '../reconciliation.types.js';
import { unissuedAddresses } from '../unissued.js';
import type { EvmHistory } from './history.js';
import { type Refusals, type Told, TRIES_FOR_GOOD } from './refusals.js';

const KEYS_AT_ONCE = 5;

/** Money at addresses of our keys that this database never issued. */
export class EvmUnissued {
  constructor(
    private readonly network: NetworkConfig,
    private readonly assets: EvmAssets,
    private readonly history: EvmHistory,
    private readonly repository: ReconciliationRepository,
    private readonly refusals: Refusals,
  ) {}

  async part(at: AgreedBlock, afterKey: string, signal?: AbortSignal): Promise<Part> {
    const { id: network, family } = this.network;
    const keys = await this.repository.unissued(family, afterKey, KEYS_AT_ONCE);
    const derived = await unissuedAddresses(this.network, keys);
    const addresses = derived.map(({ address }) => address);
    const named = await this.repository.named(family, addresses);
    const differences: Difference[] = [];
    const incomparable: Record<string, number> = {};
    const holdings = [
      ...(this.assets.coin === null ? [] : [[this.assets.coin, null] as const]),
      ...[...this.assets.tokens].map(([contract, asset]) => [asset, contract] as const),
    ];
    const compare = async (told: Told) => {
      for (const [asset, contract] of addresses.length > 0 ? holdings : []) {
        const look = () =>
          contract
            ? this.history.tokenBalances(contract, addresses, at, signal)
            : this.history.coinBalances(addresses, at, signal);
        const balances = await told(look);
        if (!balances) incomparable[`balances of ${asset} at unissued addresses`] = addresses.length;
        balances?.forEach((chainAtoms, i) => {
          if (chainAtoms === 0n) return;
          const { address, key } = entryAt(derived, i);
          if (named.has(address)) return;
          const about = { address, asset, chainAtoms, recordedAtoms: 0n, height: at.height };
          differences.push({ ...about, network, kind: 'unissued', txids: [], key });
        });
      }
    };
    await this.refusals.over(`${network} unissued after ${afterKey}`, compare, TRIES_FOR_GOOD);
    const last = keys.at(-1);
    const looked = Object.keys(incomparable).length === 0 ? addresses : [];
    return {
      compared: 0,
      incomparable,
      differences,
      covered: { addresses: looked, heights: null, balances: null },
      next: last && keys.length === KEYS_AT_ONCE ? { key: last.id } : null,
    };
  }
}
