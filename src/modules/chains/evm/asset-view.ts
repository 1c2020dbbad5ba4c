import type { AssetConfig } from '../../../config/config.types.js';
import type { WatchedCursor } from '../data/ledger.types.js';
import { assetKey, NATIVE } from '../domain/asset-key.js';
import { type EvmAssets, evmAssets } from './coin/credits.js';
import { TransferLogs } from './logs/transfer-logs.js';
import type { EvmNode } from './node/evm-node.types.js';

/** What a scan looks for: some of the network's assets. */
export interface AssetView {
  readonly keys: readonly string[];
  readonly assets: EvmAssets;
  readonly logs: TransferLogs;
}

/** Assets for which the cursor stands somewhere below where it stands itself. */
export interface Behind {
  readonly keys: readonly string[];
  readonly height: number;
}

/** The network's allow-list, by what the cursor stands for (ADR 31). */
export class AssetViews {
  private readonly views = new Map<string, AssetView>();

  constructor(
    private readonly listed: readonly AssetConfig[],
    private readonly node: EvmNode,
  ) {}

  /** What the next blocks are searched for: what the cursor stands for, and what it has never been asked about. */
  current({ height, covered }: Pick<WatchedCursor, 'height' | 'covered'>): AssetView {
    return this.of(this.keys((key) => (covered.get(key) ?? height) >= height));
  }

  /** Those that are furthest behind; `null` when none is. */
  behind({ height, covered }: Pick<WatchedCursor, 'height' | 'covered'>): Behind | null {
    const heightOf = (key: string) => covered.get(key) ?? height;
    const lowest = Math.min(height, ...this.keys(() => true).map(heightOf));
    return lowest === height ? null : { height: lowest, keys: this.keys((key) => heightOf(key) === lowest) };
  }

  of(keys: readonly string[]): AssetView {
    const name = keys.join();
    const known = this.views.get(name);
    if (known) return known;
    const assets = evmAssets(this.listed.filter((asset) => keys.includes(assetKey(asset))));
    const view = { keys, assets, logs: new TransferLogs(this.node, [...assets.tokens.keys()]) };
    this.views.set(name, view);
    return view;
  }

  keys(wanted: (key: string) => boolean): string[] {
    return this.listed.map(assetKey).filter(wanted);
  }

  hasCoin({ keys }: AssetView): boolean {
    return keys.includes(NATIVE);
  }
}
