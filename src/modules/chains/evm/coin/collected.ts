import { hexToBigInt } from 'viem';
import type { FoundCollection } from '../../data/ledger.types.js';
import { InconsistentNode } from '../../node.errors.js';
import { logsOf } from '../logs/block-logs.js';
import { bloomMayHold, isWithoutBloom } from '../logs/bloom.js';
import { COLLECTED_TOPIC } from '../node/collected-topic.js';
import type { EvmBlock, EvmLog, EvmNode } from '../node/evm-node.types.js';
import { mustHold } from './receipts.js';

/**
 * Coin that deposit addresses paid out to their destinations, as their code says (contracts/Forwarder.sol): nobody has a
 * key, so it leaves in no other way, and no transaction is theirs. A log is only where to look; the receipt decides.
 * @param coin symbol of the network's coin
 * @param forwardersAmong which of these are deposit addresses without keys; what others log of this name says nothing.
 */
export async function collectedIn(
  node: EvmNode,
  coin: string,
  blocks: readonly EvmBlock[],
  forwardersAmong: (addresses: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<FoundCollection[]> {
  const asked = blocks.filter(
    ({ logsBloom, listed }) =>
      listed.length > 0 && (isWithoutBloom(logsBloom) || bloomMayHold(logsBloom, COLLECTED_TOPIC)),
  );
  const isMeant = ({ topics }: EvmLog) => topics[0] === COLLECTED_TOPIC;
  const told = asked.map((block) => logsOf(node, block, () => node.collectedLogs(block.hash), isMeant));
  const logs = (await Promise.all(told)).flat();
  if (logs.length === 0) return [];
  const forwarders = await forwardersAmong([...new Set(logs.map(({ contract }) => contract))]);
  const ofForwarders = logs.filter(({ contract }) => forwarders.has(contract));
  const mined = new Map(ofForwarders.map(({ txid, blockHash }) => [txid, blockHash]));
  const receipts = await node.receipts([...mined].map(([txid, blockHash]) => ({ txid, blockHash })));
  mustHold(receipts, ofForwarders);
  return receipts.flatMap(({ txid, blockHash, succeeded, logs: all }) => {
    const block = blocks.find(({ hash }) => hash === blockHash);
    if (!block)
      throw new InconsistentNode(`the receipt of ${txid} is of another block than the one that was read`);
    return succeeded ? all.flatMap((log, position) => paidOut(log, position, block)) : [];
  });

  function paidOut(log: EvmLog, position: number, { height, hash, time }: EvmBlock): FoundCollection[] {
    if (!forwarders.has(log.contract) || log.topics[0] !== COLLECTED_TOPIC || log.data.length !== 66)
      return [];
    const { contract: address, txid } = log;
    const amountAtoms = hexToBigInt(log.data);
    if (amountAtoms === 0n) return [];
    // As for transfers: its place within the transaction is the same wherever a reorganisation puts that.
    const output = `log:${position}`;
    return [{ txid, output, asset: coin, address, amountAtoms, block: { height, hash, time } }];
  }
}
