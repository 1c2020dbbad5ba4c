import { type Hex, numberToHex, padHex } from 'viem';
import type { AssetConfig } from '../../../config/config.types.js';
import { CheckedNode } from './node/checked-node.js';
import type { EvmBlock, EvmLog, EvmNode, EvmReceipt, InternalCall } from './node/evm-node.types.js';
import { TRANSFER_TOPIC } from './node/transfer-topic.js';
import { sentIn, type SoughtOnEvm } from './sought-payments.js';

const hash = (n: number) => padHex(numberToHex(n), { size: 32 });
const address = (n: number) => padHex(numberToHex(n), { size: 20 });
const [TOKEN, FROM, TO] = [address(1), address(2), address(3)];
const TXID = hash(77);

const transactions = [{ txid: TXID, sender: FROM, nonce: 0, to: TOKEN, valueAtoms: 0n }];
const block: EvmBlock = {
  height: 9,
  hash: hash(9),
  parentHash: hash(8),
  time: new Date(0),
  logsBloom: '0x',
  transactions,
  listed: transactions,
};
const log = (atoms: number, index: number): EvmLog => ({
  contract: TOKEN,
  topics: [TRANSFER_TOPIC, padHex(FROM, { size: 32 }), padHex(TO, { size: 32 })] as Hex[],
  data: hash(atoms),
  txid: TXID,
  blockHash: block.hash,
  index,
});
const receiptOf = (logs: readonly EvmLog[], given: Partial<EvmReceipt> = {}): EvmReceipt => {
  return { txid: TXID, blockHash: block.hash, succeeded: true, feeAtoms: 0n, logs, ...given };
};
const call: InternalCall = { txid: TXID, path: '0.1', payers: [FROM], to: TO, valueAtoms: 5n };

interface Told {
  readonly logs?: readonly EvmLog[];
  readonly receipt?: EvmReceipt;
  readonly calls?: readonly InternalCall[] | null;
}
const nodeOf = ({ logs = [], receipt = receiptOf([]), calls = [] }: Told) =>
  ({
    transferLogs: () => Promise.resolve(logs),
    blockReceipts: () => Promise.resolve([receipt]),
    receipts: (of: readonly unknown[]) => Promise.resolve(of.map(() => receipt)),
    internalCalls: () => Promise.resolve(calls),
  }) as unknown as EvmNode;

function found(told: readonly [Told] | readonly [Told, Told], given: Partial<SoughtOnEvm> = {}) {
  const [first, second] = told.map(nodeOf);
  const node = second ? new CheckedNode(first!, second) : first!;
  const asset = { symbol: 'USDC', contract: TOKEN } as AssetConfig;
  const sought = { asset, to: TO, atoms: 5n, txid: null, ...given };
  return sentIn({ node, tracers: second ? [first!, second] : [first!] }, [block], sought);
}
const coin = { asset: { symbol: 'ETH', contract: null } as AssetConfig, txid: TXID };

it('tells a token’s movement by its place in the receipt, however the chain numbers logs', async () => {
  const receipt = receiptOf([log(6, 0), log(5, 1)]);
  await expect(found([{ logs: [log(6, 40), log(5, 41)], receipt }])).resolves.toEqual([
    { txid: TXID, output: 'log:1', height: 9, hash: block.hash, sender: FROM },
  ]);
});

it('tells two equal movements of one transaction apart', async () => {
  const receipt = receiptOf([log(5, 0), log(5, 1)]);
  const all = await found([{ logs: [log(5, 40), log(5, 41)], receipt }]);
  expect(all.map(({ output }) => output)).toEqual(['log:0', 'log:1']);
});

it.each<[string, readonly [Told] | readonly [Told, Told]]>([
  ['that one of two nodes made up', [{}, { logs: [log(5, 0)] }]],
  ['that the only node made up', [{ logs: [log(5, 0)] }]],
  [
    'of a transaction that failed',
    [{ logs: [log(5, 0)], receipt: receiptOf([log(5, 0)], { succeeded: false }) }],
  ],
  [
    'whose receipt is of another block',
    [{ logs: [log(5, 0)], receipt: receiptOf([log(5, 0)], { blockHash: hash(10) }) }],
  ],
])('finds no log %s', async (_name, told) => {
  await expect(found(told)).resolves.toEqual([]);
  await expect(found(told, { txid: TXID })).resolves.toEqual([]);
});

it('finds coin inside a transaction where all nodes tell the call, and not where one does', async () => {
  await expect(found([{ calls: [call] }], coin)).resolves.toMatchObject([{ output: 'call:0.1' }]);
  await expect(found([{ calls: [call] }, { calls: [call] }], coin)).resolves.toHaveLength(1);
  for (const other of [[], null, [{ ...call, path: '0.2' }], [{ ...call, valueAtoms: 4n }]]) {
    await expect(found([{ calls: [call] }, { calls: other }], coin)).resolves.toEqual([]);
    await expect(found([{ calls: other }, { calls: [call] }], coin)).resolves.toEqual([]);
  }
});
