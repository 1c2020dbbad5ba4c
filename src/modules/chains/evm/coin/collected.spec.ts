import { padHex, toHex } from 'viem';
import { COLLECTED_TOPIC } from '../node/collected-topic.js';
import type { EvmBlock, EvmLog, EvmNode, EvmReceipt } from '../node/evm-node.types.js';
import { collectedIn } from './collected.js';

const FORWARDER = '0xaa';
const LOG: EvmLog = {
  contract: FORWARDER,
  topics: [COLLECTED_TOPIC],
  data: padHex(toHex(7), { size: 32 }),
  txid: '0xt',
  blockHash: '0xb',
  index: 0,
};
const RECEIPT: EvmReceipt = { txid: '0xt', blockHash: '0xb', succeeded: true, feeAtoms: 0n, logs: [LOG] };
const node = {
  collectedLogs: () => Promise.resolve([LOG]),
  receipts: (of: readonly unknown[]) => Promise.resolve(of.map(() => RECEIPT)),
} as unknown as EvmNode;
const block = (listed: EvmBlock['listed']): EvmBlock => ({
  height: 9,
  hash: '0xb',
  parentHash: '0xa',
  time: new Date(0),
  logsBloom: '0x',
  transactions: [],
  listed,
});
const collected = async (listed: EvmBlock['listed']) =>
  (await collectedIn(node, 'ETH', [block(listed)], (them) => Promise.resolve(new Set(them)))).map(
    ({ address, amountAtoms }) => ({ address, amountAtoms }),
  );

describe('coin that deposit addresses paid out', () => {
  it('is found in a transaction that one of two nodes alone lists', async () => {
    const transaction = { txid: '0xt', sender: '0xs', nonce: null, to: FORWARDER, valueAtoms: 0n };
    expect(await collected([transaction])).toEqual([{ address: FORWARDER, amountAtoms: 7n }]);
  });

  it('is not looked for in a block in which nothing happened', async () => {
    expect(await collected([])).toEqual([]);
  });
});
