import { forgetting, lie, REFUSALS } from './hostile/hostile-faults.js';
import type { Call, Fault, Rule } from './hostile/hostile-plan.js';

interface RawLog {
  readonly address: string;
  readonly blockHash: string;
}
type RawBlock = Record<string, unknown> & { number: string; hash: string };

const ZERO_HASH = `0x${'0'.repeat(64)}`;
const hex = (value: number): string => `0x${Math.max(0, value).toString(16)}`;
const block = (name: string, change: (block: RawBlock, random: () => number) => object | null): Fault =>
  lie(name, (result, _, random) => result && change(result as RawBlock, random));
const BLOCKS = ['eth_getBlockByNumber', 'eth_getBlockByHash'];
const TWO_DAYS_S = 172_800;
const moved = (by: number) => (b: RawBlock) => ({ ...b, number: hex(Number(b.number) + by) });

type Range = { readonly fromBlock?: string; readonly toBlock?: string; readonly blockHash?: string };
const rangeOf = ({ params }: Call): Range => params[0] ?? {};

/** eth_getLogs by range is refused beyond so many blocks, as public providers do. */
export const logLimit = (blocks: number): Rule => ({
  methods: ['eth_getLogs'],
  asking: (call) => Number(rangeOf(call).toBlock) - Number(rangeOf(call).fromBlock) >= blocks,
  fault: REFUSALS.limit,
});

/** The logs of one block are refused, however they are asked for. */
export const refusedLogs = (height: number, hash: string): Rule => ({
  methods: ['eth_getLogs'],
  asking: (call) => {
    const { fromBlock, toBlock, blockHash } = rangeOf(call);
    return blockHash === hash || (Number(fromBlock) <= height && height <= Number(toBlock));
  },
  fault: REFUSALS.limit,
});

/** eth_getLogs by range finds nothing, as on a node that does not have the blocks yet. */
export const EMPTY_RANGES: Rule = { ...forgetting('eth_getLogs'), holding: '"fromBlock"' };

/** The logs of a contract, or each log with a chance, are left out of what eth_getLogs finds. */
export const hiding = (contract: string): Rule => ({
  methods: ['eth_getLogs'],
  fault: lie(`logs without those of ${contract}`, (logs) =>
    (logs as RawLog[]).filter(({ address }) => address.toLowerCase() !== contract.toLowerCase()),
  ),
});

/**
 * Some contracts' logs of some blocks are left out. Part of what one block has of one contract would not be noticed on
 * one node (ADR 18): the comparison finds that.
 */
export const SOME_LOGS = lie('some of the logs', (logs, _, random) => {
  if (!Array.isArray(logs)) return logs;
  const hidden = new Map<string, boolean>();
  return (logs as RawLog[]).filter(({ address, blockHash }) => {
    const place = `${blockHash} ${address}`;
    if (!hidden.has(place)) hidden.set(place, random() < 0.5);
    return !hidden.get(place);
  });
});

/** Answers of an EVM node that do not fit together: one node alone is caught at them, or they change nothing. */
export const CONTRADICTIONS = {
  otherHash: block('a block of another hash', (b) => ({ ...b, hash: ZERO_HASH })),
  otherParent: block('a block of another parent', (b) => ({ ...b, parentHash: ZERO_HASH })),
  otherHeight: block('a block of another height', moved(3)),
  changesItsMind: block('another hash at every look', (b, random) => ({
    ...b,
    hash: `0x${Math.floor(random() * 2 ** 48)
      .toString(16)
      .padStart(64, '0')}`,
  })),
  tomorrow: block('a block of the day after tomorrow', (b) => ({
    ...b,
    timestamp: hex(Number(b['timestamp']) + TWO_DAYS_S),
  })),
  pending: block('a pending block', (b) => ({ ...b, number: null, hash: null })),
  receiptOfAnotherBlock: lie('receipts of another block', (result) => {
    const other = (receipt: object) => ({ ...receipt, blockHash: ZERO_HASH });
    return Array.isArray(result) ? result.map(other) : result && other(result);
  }),
  otherChain: lie('another chain id', () => '0x5'),
} as const satisfies Record<string, Fault>;

type Change<T> = (one: T) => T;
const ofEach =
  <T>(change: Change<T>) =>
  (result: unknown) =>
    Array.isArray(result) ? result.map((one) => change(one as T)) : result && change(result as T);

interface RawSent {
  readonly from: string;
  readonly input: string;
}
const TRANSFER = '0xa9059cbb';
const MUCH = '0x4563918244f40000';
/** To whom a token goes. */
const paidBy = ({ input }: { readonly input?: string }): string | null =>
  input?.startsWith(TRANSFER) ? `0x${input.slice(34, 74)}` : null;

/** Whoever is sent a token is said to have sent it itself, and to have been paid 5 coins in the course of it. */
const FORGED = lie('a payment by a sender and a trace', (result, { method }) => {
  if (method === 'debug_traceBlockByHash') return ofEach<{ result: { input?: string } }>(paidInside)(result);
  const { transactions } = (result ?? {}) as { transactions?: readonly RawSent[] };
  if (!transactions?.every((one) => typeof one === 'object')) return result;
  const forged = transactions.map((one) => ({ ...one, from: paidBy(one) ?? one.from }));
  return { ...(result as object), transactions: forged };
});
function paidInside({ result, ...of }: { readonly result: { input?: string } }) {
  const to = paidBy(result);
  const calls = [{ type: 'CALL', from: `0x${'b'.repeat(40)}`, to, value: MUCH }];
  return { ...of, result: to === null ? result : { ...result, calls } };
}

/** A transaction that the chain makes itself, as some implementations tell it beside those of the block. */
export const UNLISTED_RECEIPT = lie('a receipt of a transaction that no block lists', (result) => {
  if (!Array.isArray(result) || result.length === 0) return result;
  const [one] = result as object[];
  return [
    ...(result as object[]),
    { ...one, transactionHash: `0x${'5a'.repeat(32)}`, logs: [], gasUsed: '0x0' },
  ];
});

/** Blocks list what pays coin alone. */
export const VALUE_ALONE: Rule = {
  methods: ['eth_getBlockByNumber'],
  holding: ',true]',
  fault: block('a block without what has no value', (b) => ({
    ...b,
    transactions: (b['transactions'] as { readonly value: string }[]).filter(
      ({ value }) => BigInt(value) > 0n,
    ),
  })),
};

/** What tells who sent, and who was paid inside. */
export const SENDERS_AND_TRACES: readonly Omit<Rule, 'fault'>[] = [
  { methods: ['eth_getBlockByNumber'], holding: ',true]' },
  { methods: ['debug_traceBlockByHash'] },
];
/** Lies with senders and traces together: the balance contradicts them. */
export const FORGERIES = { forged: FORGED } as const satisfies Record<string, Fault>;

/** What a node may say of `finalized` (or `safe`) that cannot be so. */
export const FINALITY = {
  aboveLatest: block('final above its own tip', moved(100_000)),
  backwards: block('finality that goes backwards', (b, random) => moved(-Math.floor(random() * 200))(b)),
  genesis: block('nothing final but genesis', (b) => ({ ...b, number: '0x0' })),
} as const satisfies Record<string, Fault>;

/** The tags by which finality is asked for. */
export const TAGS = ['"finalized"', '"safe"'];

const NO_BLOOM = `0x${'0'.repeat(512)}`;
const LOGS = ['eth_getLogs'];
const RECEIPTS = ['eth_getTransactionReceipt', 'eth_getBlockReceipts'];

const NOTHING_HELD: Rule = {
  methods: ['eth_call'],
  fault: lie('nothing held', (held) => `0x${'0'.repeat(String(held).length - 2)}`),
};

interface RawReceipt {
  readonly logs: readonly RawLog[];
}

/** A node that stands by its lie, whichever way it is asked: nothing that it says contradicts the rest. */
export const CONSISTENT_LIES: Readonly<Record<string, readonly Rule[]>> = {
  'that a token payment never was: no log, no receipt of it, no bloom': [
    { methods: LOGS, fault: lie('no logs', () => []) },
    {
      methods: RECEIPTS,
      fault: lie(
        'receipts without logs',
        ofEach<RawReceipt>((one) => ({ ...one, logs: [], logsBloom: NO_BLOOM })),
      ),
    },
    { methods: BLOCKS, fault: block('a block without a bloom', (b) => ({ ...b, logsBloom: NO_BLOOM })) },
  ],
  'that a token payment was of more': [
    { methods: LOGS, fault: lie('logs of more', ofEach(ofMore)) },
    {
      methods: RECEIPTS,
      fault: lie(
        'receipts of more',
        ofEach<RawReceipt>((one) => ({ ...one, logs: one.logs.map(ofMore) })),
      ),
    },
  ],
  'that nobody sent coin: no transaction, and nothing held': [
    { methods: BLOCKS, fault: block('a block without transactions', (b) => ({ ...b, transactions: [] })) },
    NOTHING_HELD,
  ],
  'that an address holds nothing': [NOTHING_HELD],
  'that whoever is sent a token sent it, and was paid coin in the course of it': SENDERS_AND_TRACES.map(
    (when) => ({ ...when, fault: FORGED }),
  ),
  'that it is the day after tomorrow': [{ methods: BLOCKS, fault: CONTRADICTIONS.tomorrow }],
};

/** Of a Transfer, a thousand atoms more. */
function ofMore(log: RawLog): RawLog {
  const { data } = log as RawLog & { readonly data: string };
  return { ...log, data: `0x${(BigInt(data) + 1_000n).toString(16).padStart(64, '0')}` } as RawLog;
}

/** It knows no tags, as real nodes say it. */
export const NO_TAGS: Rule = {
  methods: ['eth_getBlockByNumber'],
  asking: ({ params }) => TAGS.includes(JSON.stringify(params[0])),
  fault: { kind: 'refuse', code: -32602, message: 'hex string without 0x prefix' },
};

/** A block of the chain that is called safe and final before it is: it fits together. */
export const earlyFinality = (early: unknown): readonly Rule[] =>
  TAGS.map((tag) => ({
    methods: ['eth_getBlockByNumber'],
    holding: tag,
    fault: lie(`${tag} too early`, () => early),
  }));
