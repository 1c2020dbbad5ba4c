import { CoreNode } from './bitcoin/core-node.js';
import type { CoreRpc } from './bitcoin/core-rpc.js';
import { feeRateOf } from './bitcoin/fee-rate.js';
import { RpcNode } from './evm/node/rpc-node.js';
import { InconsistentNode, LogsRefused, NodeWithoutPeers } from './node.errors.js';
import { EvmHistory } from './reconciliation/evm/history.js';
import { Pace } from './reconciliation/pace.js';
import { UnspentOutputs } from './reconciliation/unspent-outputs.js';

const NO_NODE = 'http://127.0.0.1:1';
const [A, B] = ['a'.repeat(64), 'b'.repeat(64)];
const [HASH, TXID] = [`0x${A}`, `0x${B}`] as const;
const [ALICE, BOB] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];

const coinTransaction = {
  txid: B,
  vin: [{ txid: A, vout: 1, txinwitness: ['30', `02${A}`] }, { coinbase: '51' }],
  vout: [{ n: 0, value: '0.5', scriptPubKey: { hex: `0014${'3'.repeat(40)}` } }],
};
const CORE = {
  validateaddress: { isvalid: true },
  getblockchaininfo: { chain: 'main', blocks: 7, headers: 7, bestblockhash: A, initialblockdownload: false },
  getmempoolinfo: { loaded: true },
  getconnectioncount: 8,
  getblockhash: A,
  getbestblockhash: A,
  getblockheader: { height: 7, time: 1_700_000_000 },
  getblock: { height: 7, hash: A, previousblockhash: B, time: 1_700_000_000, tx: [coinTransaction] },
  estimatesmartfee: { feerate: '0.00012', blocks: 3 },
  getrawmempool: [B],
  getrawtransaction: coinTransaction,
  scantxoutset: {
    success: true,
    unspents: [{ txid: B, vout: 0, desc: `addr(bc1qa)#x`, amount: '0.5', height: 3 }],
  },
};

const log = {
  address: ALICE,
  topics: [HASH, HASH, HASH],
  data: HASH,
  blockHash: HASH,
  blockNumber: '0x7',
  transactionHash: TXID,
  logIndex: '0x0',
  removed: false,
};
const receipt = {
  transactionHash: TXID,
  blockHash: HASH,
  status: '0x1',
  gasUsed: '0x5208',
  effectiveGasPrice: '0x1',
  blobGasUsed: '0x1',
  blobGasPrice: '0x1',
  l1Fee: '0x1',
  logs: [log],
};
const frame = { type: 'CALL', from: ALICE, to: BOB, value: '0x5' };
const EVM = {
  eth_chainId: '0x1',
  eth_getBlockByNumber: {
    number: '0x7',
    hash: HASH,
    parentHash: TXID,
    timestamp: '0x6553f100',
    logsBloom: '0x',
    transactions: [{ hash: TXID, from: ALICE, nonce: '0x1', to: BOB, value: '0x5' }],
  },
  eth_getLogs: [log],
  eth_getTransactionReceipt: receipt,
  eth_getBlockReceipts: [receipt],
  eth_call: HASH,
  eth_getTransactionCount: '0x2',
  eth_getTransactionByHash: { hash: TXID, from: ALICE, nonce: '0x2' },
  debug_traceBlockByHash: [{ result: { ...frame, calls: [{ ...frame, value: '0x3' }] } }],
  trace_block: [
    {
      type: 'call',
      action: { callType: 'call', from: ALICE, to: BOB, value: '0x5' },
      traceAddress: [0],
      transactionHash: TXID,
      blockHash: HASH,
      error: null,
    },
  ],
};

/** What stands in the place of a field, or of the whole answer. */
const WRONG: readonly unknown[] = [
  null,
  undefined,
  '',
  '0x',
  '0xzz',
  'text',
  'NaN',
  '-0x1',
  '-1',
  true,
  {},
  [],
  [null],
  [[]],
  NaN,
  1e300,
  2 ** 53,
  4_294_967_296,
  -1,
  1.5,
  `0x${'f'.repeat(64)}`,
  `0x${'f'.repeat(65)}`,
  '9'.repeat(99),
];

type Answers = Readonly<Record<string, unknown>>;
type Ask = (answers: Answers) => Promise<unknown>;

/** Every answer with one of its fields replaced, and by what. */
function* spoilt(value: unknown, path = ''): Generator<readonly [path: string, value: unknown]> {
  for (const wrong of WRONG) yield [`${path} = ${JSON.stringify(wrong)}`, wrong];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    for (const [name, changed] of spoilt(inner, `${path}.${key}`)) {
      const copy = structuredClone(value) as Record<string, unknown>;
      copy[key] = changed;
      yield [name, copy];
    }
  }
}

/** Whatever would harm what it is written into: a date that is none, a number that is none. */
function harm(value: unknown): string[] {
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) || value.getFullYear() > 9999 ? ['date'] : [];
  if (typeof value === 'number') return Number.isSafeInteger(value) ? [] : [`number ${value}`];
  if (typeof value === 'bigint') return value >= 0n && value < 2n ** 256n ? [] : [`amount ${value}`];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(harm);
}

async function outcome(ask: Ask, answers: Answers): Promise<string[]> {
  try {
    return harm(await ask(answers));
  } catch (error) {
    const isExpected = [InconsistentNode, LogsRefused, NodeWithoutPeers].some(
      (kind) => error instanceof kind,
    );
    return isExpected ? [] : [String(error)];
  }
}

const core = (answers: Answers) =>
  ({
    call: (method: string) => Promise.resolve(answers[method]),
    batch: (calls: { method: string }[]) => Promise.resolve(calls.map(({ method }) => answers[method])),
  }) as unknown as CoreRpc;
const asking = (answers: Answers) => ({
  request: ({ method }: { method: string }) => Promise.resolve(answers[method]),
});
function wired<Node extends object>(node: Node, parts: object): Node {
  return Object.assign<Node, object>(node, parts);
}
const evm = (answers: Answers) =>
  wired(new RpcNode(NO_NODE), { client: asking(answers), aside: asking(answers) });
const history = (answers: Answers) =>
  wired(new EvmHistory(NO_NODE, new Pace(1_000_000)), { client: asking(answers) });
const transactions = [{ txid: TXID, sender: ALICE, nonce: 1, to: BOB, valueAtoms: 5n }];
const block = {
  height: 7,
  hash: HASH,
  parentHash: TXID,
  time: new Date(0),
  logsBloom: '0x' as const,
  transactions,
  listed: transactions,
};

const GENESIS = { ...EVM, eth_getBlockByNumber: { ...EVM.eth_getBlockByNumber, number: '0x0' } };

const ASK: Readonly<Record<string, readonly [Answers, readonly string[], Ask]>> = {
  'Core: tip': [
    CORE,
    ['getblockchaininfo', 'getmempoolinfo', 'getblockhash', 'getblockheader', 'validateaddress'],
    (answers) => new CoreNode(core(answers)).tip('bc'),
  ],
  'Core: tip, with peers': [
    CORE,
    ['getconnectioncount'],
    (answers) => new CoreNode(core(answers), { needsPeers: true }).tip('bc'),
  ],
  'Core: header': [
    CORE,
    ['getblockhash', 'getblockheader'],
    (answers) => new CoreNode(core(answers)).header(7),
  ],
  'Core: fee rate': [CORE, ['estimatesmartfee'], (answers) => feeRateOf(core(answers))],
  'Core: blocks': [CORE, ['getblock'], (answers) => new CoreNode(core(answers)).blocks(7, 7)],
  'Core: mempool': [
    CORE,
    ['getrawmempool', 'getbestblockhash'],
    (answers) => new CoreNode(core(answers)).mempool(),
  ],
  'Core: waiting': [CORE, ['getrawtransaction'], (answers) => new CoreNode(core(answers)).waiting([B])],
  'Core: unspent outputs': [
    CORE,
    ['scantxoutset'],
    (answers) => new UnspentOutputs(core(answers)).of(['bc1qa']),
  ],
  'EVM: identity': [GENESIS, ['eth_chainId', 'eth_getBlockByNumber'], (answers) => evm(answers).identity()],
  'EVM: tips': [EVM, ['eth_chainId', 'eth_getBlockByNumber'], (answers) => evm(answers).tips()],
  'EVM: header': [EVM, ['eth_getBlockByNumber'], (answers) => evm(answers).header(7)],
  'EVM: blocks': [EVM, ['eth_getBlockByNumber'], (answers) => evm(answers).blocks(7, 7)],
  'EVM: logs': [
    EVM,
    ['eth_getLogs'],
    (answers) => evm(answers).transferLogs([ALICE], { fromHeight: 7, toHeight: 7 }),
  ],
  'EVM: receipts': [
    EVM,
    ['eth_getTransactionReceipt'],
    (answers) => evm(answers).receipts([{ txid: TXID, blockHash: null }]),
  ],
  'EVM: receipts of a block': [EVM, ['eth_getBlockReceipts'], (answers) => evm(answers).blockReceipts(block)],
  'EVM: balances': [EVM, ['eth_call'], (answers) => evm(answers).balances([ALICE], HASH)],
  'EVM: traces': [
    EVM,
    ['debug_traceBlockByHash', 'trace_block'],
    (answers) => evm(answers).internalCalls(block),
  ],
  'EVM: flat traces': [
    { ...EVM, debug_traceBlockByHash: null },
    ['trace_block'],
    (answers) => evm(answers).internalCalls(block),
  ],
  'EVM: whether it is mined': [EVM, ['eth_getTransactionReceipt'], (answers) => evm(answers).isMined(TXID)],
  'EVM: whose a transaction is': [
    EVM,
    ['eth_getTransactionByHash'],
    (answers) => evm(answers).accountOf(TXID),
  ],
  'EVM: nonces': [EVM, ['eth_getTransactionCount'], (answers) => evm(answers).noncesUsed(ALICE, HASH)],
  'reconciliation: identity': [
    GENESIS,
    ['eth_chainId', 'eth_getBlockByNumber'],
    (answers) => history(answers).identity(),
  ],
  'reconciliation: transfers': [
    EVM,
    ['eth_getLogs'],
    (answers) => history(answers).logs.transfersTo([ALICE], [BOB], 7, 7),
  ],
  'reconciliation: balances': [
    EVM,
    ['eth_call'],
    (answers) => history(answers).coinBalances([ALICE], 'latest'),
  ],
  'reconciliation: sent': [
    EVM,
    ['eth_getTransactionCount'],
    (answers) => history(answers).sent(ALICE, 'latest'),
  ],
};

describe.each(Object.entries(ASK))('%s', (_, [answers, methods, ask]) => {
  it('is read of an honest node', async () => {
    const told = await ask(answers);
    expect(told).not.toBeNull();
    expect(harm(told)).toEqual([]);
  });

  it.each(methods)('with any field of %s spoilt is no answer, or one that harms nothing', async (method) => {
    const failures: string[] = [];
    let tried = 0;
    for (const [name, answer] of spoilt(answers[method], method)) {
      tried += 1;
      const harmed = await outcome(ask, { ...answers, [method]: answer });
      if (harmed.length > 0) failures.push(`${name}: ${harmed.join()}`);
    }
    expect(tried).toBeGreaterThanOrEqual(WRONG.length);
    expect(failures).toEqual([]);
  });
});

it('says what is wrong with an answer by its places, and repeats nothing of it', async () => {
  const getblock = { ...CORE.getblock, time: 'secret', tx: [{ ...coinTransaction, txid: 'secret' }] };
  await expect(new CoreNode(core({ ...CORE, getblock })).blocks(7, 7)).rejects.toThrow(
    "the node's answer to getblock is none: time must be a number; tx[0].txid must be a hash",
  );
});

it('reads no more of a list once so much of it is wrong', async () => {
  const getblock = { ...CORE.getblock, tx: Array.from({ length: 50_000 }, () => ({})) };
  const node = new CoreNode(core({ ...CORE, getblock }));
  const before = process.memoryUsage().heapUsed;
  await expect(node.blocks(7, 7)).rejects.toThrow(/tx\[3\]\.txid must be a hash; and more$/);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(32 * 2 ** 20);
});
