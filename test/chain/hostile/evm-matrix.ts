import { CONTRADICTIONS, FINALITY, FORGERIES, SENDERS_AND_TRACES } from '../evm-faults.js';
import { ANSWERED_BY_OTHERS, BALANCED, REFUSALS, TRANSPORT, WRONG_TYPES } from './hostile-faults.js';
import type { Fault, Rule } from './hostile-plan.js';

/** What a watcher asks an EVM node for, each as the calls that it strikes. */
export const EVM_CALLS: Readonly<Record<string, readonly Omit<Rule, 'fault'>[]>> = {
  'the chain id': [{ methods: ['eth_chainId'] }],
  'the newest block': [{ methods: ['eth_getBlockByNumber'], holding: '"latest"' }],
  'the safe block': [{ methods: ['eth_getBlockByNumber'], holding: '"safe"' }],
  'the finalized block': [{ methods: ['eth_getBlockByNumber'], holding: '"finalized"' }],
  'the first block': [{ methods: ['eth_getBlockByNumber'], holding: '["0x0",false]' }],
  'the header of a block': [
    {
      methods: ['eth_getBlockByNumber'],
      asking: ({ params: [height, isWhole] }) => /^0x[1-9a-f]/.test(String(height)) && isWhole === false,
    },
  ],
  'a block with its transactions': [{ methods: ['eth_getBlockByNumber'], holding: ',true]' }],
  logs: [{ methods: ['eth_getLogs'] }],
  'the receipt of a transaction': [{ methods: ['eth_getTransactionReceipt'] }],
  'all receipts of a block': [{ methods: ['eth_getBlockReceipts'] }],
  'the nonce of an account': [{ methods: ['eth_getTransactionCount'] }],
  balances: [{ methods: ['eth_call'] }],
  'balances of blocks before the newest': [{ methods: ['eth_call'], beforeNewest: true }],
  'traces of a block': [{ methods: ['debug_traceBlockByHash'] }],
  'either kind of traces': [{ methods: ['debug_traceBlockByHash'] }, { methods: ['trace_block'] }],
  'senders and traces': SENDERS_AND_TRACES,
  everything: [{}],
  'every other request': [BALANCED],
};

/** What only the coin needs of older blocks, and who paid it: whatever becomes of these, the network's other payments go on. */
export const SPARED_CALLS = [
  'balances of blocks before the newest',
  'traces of a block',
  'either kind of traces',
];

/** Each kind of fault by its name. */
export const EVM_FAULTS: Readonly<Record<string, Fault>> = {
  ...REFUSALS,
  ...TRANSPORT,
  ...WRONG_TYPES,
  ...ANSWERED_BY_OTHERS,
};

const ABOUT_BLOCKS = [
  'the newest block',
  'the safe block',
  'the finalized block',
  'the first block',
  'the header of a block',
  'a block with its transactions',
];
const { receiptOfAnotherBlock, otherChain, otherHeight, ...OF_BLOCKS } = CONTRADICTIONS;
const TAGGED = ['the safe block', 'the finalized block'];

/** Every call with every fault, and the lies that only some answers can tell. */
export function evmMatrix(): Readonly<Record<string, Readonly<Record<string, Fault>>>> {
  const lies = (call: string): Readonly<Record<string, Fault>> => ({
    ...(ABOUT_BLOCKS.includes(call) ? OF_BLOCKS : {}),
    // Finality that is a little too early fits together: one node alone cannot be caught at it.
    ...(TAGGED.includes(call) ? FINALITY : ABOUT_BLOCKS.includes(call) ? { otherHeight } : {}),
    ...(call === 'the receipt of a transaction' ? { receiptOfAnotherBlock } : {}),
    ...(call === 'senders and traces' ? FORGERIES : {}),
    ...(call === 'the chain id' ? { otherChain } : {}),
  });
  return Object.fromEntries(Object.keys(EVM_CALLS).map((call) => [call, { ...EVM_FAULTS, ...lies(call) }]));
}

/** As `evmMatrix`, of what is asked besides where a node knows no tags: finality is then by what blocks say of their time. */
export function taglessMatrix(): Readonly<Record<string, Readonly<Record<string, Fault>>>> {
  const { tomorrow } = CONTRADICTIONS;
  return Object.fromEntries(TIMED.map((call) => [call, { tomorrow }]));
}

const TIMED = ['the newest block', 'the header of a block', 'a block with its transactions'];
export const TIMED_CALLS = Object.fromEntries(TIMED.map((call) => [call, EVM_CALLS[call]!]));
