import { ANSWERED_BY_OTHERS, BALANCED, lie, TRANSPORT, WRONG_TYPES } from './hostile-faults.js';
import type { Calls, Faults } from './hostile-matrix.js';
import type { Fault } from './hostile-plan.js';

const METHODS = [
  'getblockchaininfo',
  'getmempoolinfo',
  'getrawmempool',
  'getbestblockhash',
  'getblockhash',
  'getblock',
  'getblockheader',
  'getrawtransaction',
  'validateaddress',
];

/** What a watcher asks a Bitcoin-like node for. */
export const BITCOIN_CALLS: Calls = {
  ...Object.fromEntries(METHODS.map((method) => [method, [{ methods: [method] }]])),
  everything: [{}],
  'every other request': [BALANCED],
};

const refuse = (code: number, message: string): Fault => ({ kind: 'refuse', code, message });

/** Errors with the codes and the words of Bitcoin Core. */
const REFUSALS: Readonly<Record<string, Fault>> = {
  warmingUp: refuse(-28, 'Loading block index…'),
  noMethod: refuse(-32601, 'Method not found'),
  pruned: refuse(-1, 'Block not available (pruned data)'),
  misc: refuse(-1, 'JSON value is not a string as expected'),
  internal: refuse(-32603, 'internal error'),
};

/** Each kind of fault by its name. */
export const BITCOIN_FAULTS: Readonly<Record<string, Fault>> = {
  ...REFUSALS,
  ...TRANSPORT,
  ...WRONG_TYPES,
  ...ANSWERED_BY_OTHERS,
};

type Info = Record<string, unknown>;
const info = (name: string, change: Info) => lie(name, (result) => ({ ...(result as Info), ...change }));
const ZERO = '0'.repeat(64);

/** Lies that only some answers can tell, by the method. */
export const BITCOIN_LIES: Faults = {
  getmempoolinfo: { unloaded: info('a mempool that is not loaded', { loaded: false }) },
  getblockchaininfo: {
    downloading: info('still downloading', { initialblockdownload: true, verificationprogress: 0.5 }),
    mainChain: info('the main chain', { chain: 'main' }),
    headersAbove: info('headers far above', { headers: 1_000_000 }),
    noSuchTip: info('a tip that nobody has', { bestblockhash: ZERO }),
  },
  validateaddress: { ofAnotherCoin: info('an address of another coin', { isvalid: false }) },
  getbestblockhash: { otherTip: lie('another tip than a moment ago', () => ZERO) },
  getrawmempool: {
    nothingWaits: lie('an empty mempool', () => []),
    gaps: lie('a mempool with gaps', (txids, _, random) => (txids as string[]).filter(() => random() < 0.5)),
  },
  getblockhash: { noBlock: lie('a hash of no block', () => ZERO) },
  getblock: { otherParent: info('a block of another parent', { previousblockhash: ZERO }) },
  getblockheader: { otherHeight: info('a header of another height', { height: 1 }) },
};

/** Every call with every fault, and the lies that only some answers can tell. */
export function bitcoinMatrix(): Faults {
  return Object.fromEntries(
    Object.keys(BITCOIN_CALLS).map((call) => [call, { ...BITCOIN_FAULTS, ...BITCOIN_LIES[call] }]),
  );
}
