import { z } from 'zod';
import { listOfAll } from '../../../../../kernel/foreign-json.js';
import { MOST_TRANSACTIONS, nodeList, nodeListOfLists } from '../../../watching/node-answer.js';
import { evmAddress, evmHash, evmQuantity } from './rpc-answers.js';

/** Of calls within calls, by the protocol. */
const MOST_DEPTH = 1_024;
/**
 * Of a block: several times what an ordinary one that is full has; what follows goes through them at once. One that is made of nothing
 * but the cheapest calls may have more: then who paid is not named.
 */
const MOST_TRACES = 200_000;

const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const frame = z.object({
  type: z.string(),
  from: evmAddress,
  to: evmAddress.nullish(),
  value: evmQuantity.nullish(),
  error: z.string().nullish(),
});

/** geth's `callTracer`: the tree of one transaction's calls. */
export interface CallFrame extends z.output<typeof frame> {
  readonly calls?: readonly CallFrame[] | null;
}
const callFrame: z.ZodType<CallFrame> = frame.extend({
  calls: z.lazy(() => nodeListOfLists(callFrame)).nullish(),
});

/** Of a block: one tree for each transaction, or why there is none. */
export const callTrees = nodeListOfLists(
  z.object({ result: callFrame.nullish() }).nullable(),
  MOST_TRANSACTIONS,
);

/** One of `trace_block`'s flat list, in which a call's place is its `traceAddress`. */
const flatTrace = z.object({
  type: z.string(),
  action: z.object({
    callType: z.string().nullish(),
    from: evmAddress.nullish(),
    to: evmAddress.nullish(),
    value: evmQuantity.nullish(),
    address: evmAddress.nullish(),
    refundAddress: evmAddress.nullish(),
    balance: evmQuantity.nullish(),
  }),
  error: z.string().nullish(),
  traceAddress: listOfAll(isIndex, 'must be a list of numbers').refine(
    ({ length }) => length <= MOST_DEPTH,
    'is deeper than a call can be',
  ),
  transactionHash: evmHash.nullish(),
  blockHash: evmHash.nullish(),
});
export type FlatTrace = z.output<typeof flatTrace>;
export const flatTraces = nodeList(flatTrace, MOST_TRACES);
