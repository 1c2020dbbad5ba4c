import type { NetworkConfig } from '../../../../config/config.types.js';
import type { LedgerRepository } from '../../data/ledger.repository.js';
import type { FoundTransfer } from '../../data/ledger.types.js';
import { InconsistentNode } from '../../watching/node-failure.js';
import type { AssetView } from '../asset-view.js';
import { candidates, credits, recipients } from './credits.js';
import type { EvmBlock, EvmNode } from '../node/evm-node.types.js';

/** What blocks credit to our addresses by logs and by the values of their transactions. */
export async function directValue(
  { family }: NetworkConfig,
  node: EvmNode,
  ledger: LedgerRepository,
  { assets, logs: source }: AssetView,
  blocks: readonly EvmBlock[],
): Promise<FoundTransfer[]> {
  const logs = await source.of(blocks);
  const owners = await ledger.owners(family, recipients(blocks, logs, assets));
  if (owners.size === 0) return [];
  const paying = candidates(blocks, logs, assets, owners);
  const receipts = await node.receipts(paying.map(({ transaction }) => transaction.txid));
  return paying.flatMap((candidate, i) => credits(candidate, receipts[i]!, assets, owners));
}

/** @throws InconsistentNode unless each block follows the one before it */
export function mustBeChained(blocks: readonly EvmBlock[]): void {
  blocks.forEach((block, i) => {
    const parent = blocks[i - 1];
    if (parent && block.parentHash !== parent.hash) {
      throw new InconsistentNode(`block ${block.height} does not follow the block before it`);
    }
  });
}
