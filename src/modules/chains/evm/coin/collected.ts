import { hexToBigInt } from 'viem';
import type { CoinMovement } from '../../data/balances.repository.js';
import { bloomMayHold } from '../bloom.js';
import type { EvmBlock, EvmNode } from '../node/evm-node.types.js';
import { COLLECTED_TOPIC } from '../node/collected-topic.js';

/** Some chains write none: of them nothing can be left out. */
const NO_BLOOM = /^0x0*$/;

/**
 * Coin that deposit addresses paid out to their destinations, as their code says (contracts/Forwarder.sol): nobody has a
 * key, so it leaves in no other way, and no transaction is theirs. A log is only where to look; the receipt decides.
 * @param forwarders deposit addresses without keys; what others log of this name says nothing
 */
export async function collectedIn(
  node: EvmNode,
  blocks: readonly EvmBlock[],
  forwarders: ReadonlySet<string>,
): Promise<CoinMovement[]> {
  if (forwarders.size === 0) return [];
  const asked = blocks.filter(
    ({ logsBloom, transactions }) =>
      transactions.length > 0 && (NO_BLOOM.test(logsBloom) || bloomMayHold(logsBloom, COLLECTED_TOPIC)),
  );
  const logs = (await Promise.all(asked.map(({ hash }) => node.collectedLogs(hash)))).flat();
  const txids = new Set(logs.filter(({ contract }) => forwarders.has(contract)).map(({ txid }) => txid));
  const receipts = await node.receipts([...txids]);
  const heights = new Map(blocks.map(({ hash, height }) => [hash, height]));
  return receipts.flatMap(({ blockHash, succeeded, logs: all }) => {
    const height = heights.get(blockHash);
    if (!succeeded || height === undefined) return [];
    return all
      .filter(({ contract, topics, data }) => {
        return forwarders.has(contract) && topics[0] === COLLECTED_TOPIC && data.length === 66;
      })
      .map(({ contract: address, data }) => ({ address, height, atoms: hexToBigInt(data) }));
  });
}
