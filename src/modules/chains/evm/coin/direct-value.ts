import type { NetworkConfig } from '../../../../config/config.types.js';
import { paired } from '../../../../kernel/lookups.js';
import type { LedgerRepository } from '../../data/ledger.repository.js';
import type { FoundCollection, Movements } from '../../data/ledger.types.js';
import type { AssetView } from '../asset-view.js';
import type { EvmBlock, EvmNode } from '../node/evm-node.types.js';
import { collectedIn } from './collected.js';
import { candidates, credits, parties, tokensPaidOut } from './credits.js';
import { mustHold } from './receipts.js';

/** What blocks credit to our addresses, and move away from those without keys, by logs and by transactions' values. */
export async function directValue(
  { family }: NetworkConfig,
  node: EvmNode,
  ledger: LedgerRepository,
  { assets, logs: source }: AssetView,
  blocks: readonly EvmBlock[],
): Promise<Movements> {
  const logs = await source.of(blocks);
  const issued = await ledger.issued(family, parties(blocks, logs, assets));
  if (issued.size === 0) return { transfers: [], collections: [] };
  const owners = new Map([...issued].map(([address, { subject }]) => [address, subject]));
  const forwarders = new Set([...issued].flatMap(([address, one]) => (one.isForwarder ? [address] : [])));
  const moving = candidates(blocks, logs, assets, owners, forwarders);
  const receipts = await node.receipts(
    moving.map(({ block, transaction }) => ({ txid: transaction.txid, blockHash: block.hash })),
  );
  mustHold(receipts, logs);
  const each = paired(moving, receipts);
  return {
    transfers: each.flatMap(([one, receipt]) => credits(one, receipt, assets, owners)),
    collections: each.flatMap(([one, receipt]) => tokensPaidOut(one, receipt, assets, forwarders)),
  };
}

/** Coin that deposit addresses without keys paid out, whenever they were issued; nothing while there are none. */
export async function collectedCoin(
  { family }: NetworkConfig,
  node: EvmNode,
  ledger: LedgerRepository,
  { assets: { coin } }: AssetView,
  blocks: readonly EvmBlock[],
): Promise<FoundCollection[]> {
  if (coin === null || blocks.length === 0 || !(await ledger.anyForwarder())) return [];
  return collectedIn(node, coin, blocks, async (addresses) => {
    const issued = await ledger.issued(family, addresses);
    return new Set(addresses.filter((address) => issued.get(address)?.isForwarder));
  });
}
