import { processorMs } from '../../../test/support/run/own-time.js';
import { CoreNode } from './bitcoin/core-node.js';
import { CoreRpc } from './bitcoin/core-rpc.js';
import { countAside } from './evm/node/answers/aside.js';
import { evmCount, evmReceipts } from './evm/node/answers/rpc-answers.js';
import { callTrees, flatTraces } from './evm/node/answers/trace-answers.js';
import type { EvmBlock, EvmTransaction } from './evm/node/evm-node.types.js';
import { askNode, nodeClient } from './evm/node/node-client.js';
import { RpcNode } from './evm/node/rpc-node.js';
import { NodeHttp } from './watching/node-http.js';

const URL = 'http://127.0.0.1:1';
const hash = (n: number) => n.toString(16).padStart(64, '0');
const address = `0x${'1'.repeat(40)}`;
const many = (count: number, of: (i: number) => unknown): string =>
  Array.from({ length: count }, (_, i) => JSON.stringify(of(i))).join();

const header = `"number":"0x1","hash":"0x${hash(1)}","parentHash":"0x${hash(2)}","timestamp":"0x6553f100"`;
const transfer = (i: number) => ({
  hash: `0x${hash(i)}`,
  from: address,
  to: address,
  nonce: '0x1',
  value: '0x5',
  input: `0xa9059cbb${'0'.repeat(128)}`,
  blockHash: `0x${hash(1)}`,
  r: `0x${hash(3)}`,
  s: `0x${hash(4)}`,
});
const frame = {
  type: 'CALL',
  from: address,
  to: `0x${'2'.repeat(40)}`,
  value: '0x5',
  input: `0x${'0'.repeat(128)}`,
};
const payment = (i: number) => ({
  txid: hash(i),
  vin: [{ txid: hash(i + 1), vout: 1, txinwitness: ['3'.repeat(142), `02${hash(5)}`] }],
  vout: [{ n: 0, value: 0.00012345, scriptPubKey: { hex: `0014${'3'.repeat(40)}`, asm: '3'.repeat(40) } }],
  hex: '02'.repeat(400),
});

const BLOCK = `{${header},"transactions":[${many(20_000, transfer)}]}`;
const TREES = `[${many(5_000, () => ({ result: { ...frame, calls: [frame, { ...frame, calls: [frame] }] } }))}]`;
const transaction = (i: number) => ({
  txid: `0x${hash(i)}`,
  sender: address,
  nonce: 1,
  to: address,
  valueAtoms: 0n,
});
const traced = (transactions: readonly EvmTransaction[]): EvmBlock => ({
  hash: `0x${hash(1)}`,
  parentHash: '',
  height: 1,
  time: new Date(0),
  logsBloom: '0x',
  transactions,
  listed: transactions,
});
const BITCOIN_BLOCK =
  `{"hash":"${hash(1)}","height":1,"time":1700000000,"previousblockhash":"${hash(2)}",` +
  `"tx":[${many(10_000, payment)}]}`;

/** Each question is answered with the same; what it takes the network is not counted. */
function answering(results: Readonly<Record<string, string>>): void {
  jest.spyOn(NodeHttp.prototype, 'post').mockImplementation(({ body }) => {
    const asked = JSON.parse(body) as { id: number; method: string } | { id: number; method: string }[];
    const answers = [asked].flat().map(({ id, method }) => `{"id":${id},"result":${results[method]}}`);
    const text = Array.isArray(asked) ? `[${answers.join()}]` : answers[0]!;
    return Promise.resolve({ status: 200, contentType: 'application/json', body: Buffer.from(text) });
  });
}

/** Each question is answered with this, whatever it is. */
function answeringAll(envelope: string, status = 200): void {
  jest
    .spyOn(NodeHttp.prototype, 'post')
    .mockResolvedValue({ status, contentType: 'application/json', body: Buffer.from(envelope) });
}

/**
 * What of the work by which something was read was done in one turn, at the longest: 1 if it was all one turn. By the processor's
 * time: a turn in which the machine stood still is no longer for that.
 */
async function longestTurnWhile<T>(asked: Promise<T>): Promise<{ answer: T; share: number }> {
  const startedMs = processorMs();
  let [lastMs, longestMs] = [startedMs, 0];
  const look = () => {
    const nowMs = processorMs();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
  };
  let next = setImmediate(function turn() {
    look();
    next = setImmediate(turn);
  });
  const answer = await asked.finally(() => clearImmediate(next));
  look();
  return { answer, share: longestMs / (processorMs() - startedMs) };
}

/** Whatever the machine: what is read in one turn takes nearly all of the work. */
const MUCH = 0.6;

afterEach(() => jest.restoreAllMocks());

describe('others have their turns while a long answer is read', () => {
  it('that is a full block', async () => {
    answering({ eth_getBlockByNumber: BLOCK });
    const { answer, share } = await longestTurnWhile(new RpcNode(URL).blocks(1, 1));
    expect(answer[0]!.transactions).toHaveLength(20_000);
    expect(share).toBeLessThan(MUCH);
  });

  it('that is the traces of one', async () => {
    answering({ debug_traceBlockByHash: TREES });
    // Without the watcher's patience, which a busy machine uses up.
    const client = nodeClient(URL, { timeoutMs: 60_000 }, { retryCount: 0 });
    const reading = askNode(client, callTrees, 'debug_traceBlockByHash', []);
    const { answer, share } = await longestTurnWhile(reading);
    expect(answer.flatMap((tree) => tree?.result?.calls ?? [])).toHaveLength(10_000);
    expect(share).toBeLessThan(MUCH);
  });

  it('that is a full block of a Bitcoin-like chain', async () => {
    answering({ getblockhash: `"${hash(1)}"`, getblock: BITCOIN_BLOCK });
    const { answer, share } = await longestTurnWhile(new CoreNode(new CoreRpc(URL)).blocks(1, 1));
    expect(answer[0]!.transactions).toHaveLength(10_000);
    expect(answer[0]!.transactions[7]!.outputs).toEqual([
      { index: 0, script: `0014${'3'.repeat(40)}`, amountAtoms: 12_345n },
    ]);
    expect(share).toBeLessThan(MUCH);
  });

  it('that is nothing but objects', async () => {
    answering({ eth_getBlockByNumber: `[${'{},'.repeat(1_900_000)}{}]` });
    const reading = new RpcNode(URL).header(1).catch(String);
    const { answer, share } = await longestTurnWhile(reading);
    expect(answer).toContain("the node's answer to eth_getBlockByNumber is none");
    expect(share).toBeLessThan(MUCH);
  });

  it.each([
    ['a single question', 200],
    ['a single question', 500],
    ['a batch', 200],
    ['a batch', 500],
  ])('that is nothing but entries, to %s with status %i', async (what, status) => {
    const entry = '{"id":1,"result":1}';
    answeringAll(`[${`${entry},`.repeat(500_000)}${entry}]`, status);
    const batch = what === 'a batch' && { batchSize: 20 };
    const client = nodeClient(URL, { timeoutMs: 60_000 }, { retryCount: 0, batch });
    const reading = askNode(client, evmCount, 'eth_chainId', []).catch(String);
    expect((await longestTurnWhile(reading)).share).toBeLessThan(MUCH);
    expect(countAside()).toBe(0);
  });

  it('that is nothing but entries, of a Bitcoin-like chain’s node', async () => {
    const entry = '{"id":0,"result":1}';
    answeringAll(`[${`${entry},`.repeat(500_000)}${entry}]`);
    const reading = new CoreRpc(URL).call('getblockcount').catch(String);
    const { answer, share } = await longestTurnWhile(reading);
    expect(answer).toContain('has more than 1 entries');
    expect(share).toBeLessThan(MUCH);
  });
});

it.each([
  ['eth_getBlockReceipts', evmReceipts, 50_000],
  ['debug_traceBlockByHash', callTrees, 50_000],
  ['trace_block', flatTraces, 200_000],
])(
  '%s answered with more than any block has is no answer, and none of it is read',
  async (method, schema, most) => {
    answering({ [method]: `[${'{},'.repeat(most)}{}]` });
    const client = nodeClient(URL, { timeoutMs: 60_000 }, { retryCount: 0 });
    await expect(askNode(client, schema, method, [])).rejects.toThrow(
      `is none: has more than ${most} entries`,
    );
  },
);

it('a mempool or a block of a Bitcoin-like chain that lists more than any has is no answer', async () => {
  const rpc = new CoreRpc(URL);
  const txids = `[${`"${hash(1)}",`.repeat(1_000_000)}"${hash(1)}"]`;
  answering({ getrawmempool: txids, getbestblockhash: `"${hash(1)}"` });
  await expect(new CoreNode(rpc).mempool()).rejects.toThrow('has more than 1000000 entries');
  const tx = `[${'{},'.repeat(50_000)}{}]`;
  answering({
    getblockhash: `"${hash(1)}"`,
    getblock: `{"hash":"${hash(1)}","height":1,"time":1,"tx":${tx}}`,
  });
  await expect(new CoreNode(rpc).blocks(1, 1)).rejects.toThrow('tx has more than 50000 entries');
  await expect(new CoreNode(rpc).sentAt(1, [])).rejects.toThrow('tx has more than 50000 entries');
});

it('an answer that is one text of escapes is read no further than an honest text is long', async () => {
  answering({
    eth_getBlockByNumber: `"${'\\u0041'.repeat(2_000_000)}"`,
    getblock: `"${'\\u0041'.repeat(2_000_000)}"`,
  });
  const tooMuch = 'more than is read of an answer: a text is too long';
  await expect(new RpcNode(URL).header(1)).rejects.toThrow(tooMuch);
  await expect(new CoreRpc(URL).call('getblock')).rejects.toThrow(tooMuch);
});

it('a tree of calls that is deeper than any transaction makes is no answer', async () => {
  const leaf = JSON.stringify(frame);
  const open = `${leaf.slice(0, -1)},"calls":[`;
  const tree = (depth: number) => `[{"result":${open.repeat(depth)}${leaf}${']}'.repeat(depth)}}]`;
  const block = traced([transaction(1)]);
  answering({ debug_traceBlockByHash: tree(1_024), trace_block: 'null' });
  expect(await new RpcNode(URL).internalCalls(block)).toHaveLength(1_024);
  answering({ debug_traceBlockByHash: tree(20_000), trace_block: 'null' });
  expect(await new RpcNode(URL).internalCalls(block)).toBeNull();
});

describe('calls that are no block’s, which would be gigabytes of who passed on what, are no answer', () => {
  const deepest = 1_000;
  const block = traced([transaction(1)]);

  it.each([
    [400, 400],
    [20_000, null],
  ])('%i of them, as a tree', async (count, found) => {
    const payer = (i: number) => `0x${i.toString(16).padStart(40, '0')}`;
    const opened = Array.from({ length: deepest }, (_, i) => {
      return `${JSON.stringify({ ...frame, type: 'STATICCALL', from: payer(i) }).slice(0, -1)},"calls":[`;
    });
    const tree = `${opened.join('')}${many(count, () => frame)}${']}'.repeat(deepest)}`;
    answering({ debug_traceBlockByHash: `[{"result":${tree}}]`, trace_block: 'null' });
    expect((await new RpcNode(URL).internalCalls(block))?.length ?? null).toBe(found);
  });

  it('deeper than calls can be, as a list', async () => {
    const trace = (depth: number) => ({
      type: 'call',
      action: { callType: 'call', from: frame.from, to: frame.to, value: '0x5' },
      traceAddress: Array.from({ length: depth }, () => 0),
      transactionHash: `0x${hash(1)}`,
      blockHash: `0x${hash(1)}`,
    });
    const told = async (depth: number) => {
      answering({ debug_traceBlockByHash: 'null', trace_block: JSON.stringify([trace(depth)]) });
      return (await new RpcNode(URL).internalCalls(block))?.length ?? null;
    };
    expect(await told(1_024)).toBe(1);
    expect(await told(1_025)).toBeNull();
  });
});

it.each([null, false, 0, '', '0x1', [], { a: 1 }])('%j is answered as it is', async (result) => {
  answering({ eth_chainId: JSON.stringify(result), getblockcount: JSON.stringify(result) });
  expect(await new CoreRpc(URL).call('getblockcount')).toEqual(result);
});

it('a node that has no block says so by null', async () => {
  answering({ eth_getBlockByNumber: 'null' });
  expect(await new RpcNode(URL).header(1)).toBeNull();
});
