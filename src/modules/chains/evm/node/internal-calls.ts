import type { Hex } from 'viem';
import type { CallFrame, FlatTrace } from './answers/trace-answers.js';
import type { InternalCall } from './evm-node.types.js';

/** Where the coin of a frame comes from, and, with the frame that made it, how it got there. */
interface Passing {
  readonly from: string;
  readonly valueAtoms: bigint;
  readonly above: Passing | null;
}

/** Over all calls of a block, how deep each is. A block that is full of calls has a fifth of it. */
const MOST_STEPS = 1_000_000;

/** Whether these are no block's: who passed on what to a call is told for each, and deep calls by the million would be gigabytes. */
export function areTooDeep(trees: readonly CallFrame[]): boolean {
  let steps = 0;
  const walk = ({ calls }: CallFrame, depth: number): void => {
    steps += depth;
    if (steps <= MOST_STEPS) for (const call of calls ?? []) walk(call, depth + 1);
  };
  for (const tree of trees) walk(tree, 0);
  return steps > MOST_STEPS;
}

/** Everything that moved inside a transaction, without its own top-level value. A call that failed took all below it back. */
export function callsOf(txid: string, top: CallFrame): InternalCall[] {
  const walk = (frame: CallFrame, path: readonly number[], above: Passing | null): InternalCall[] => {
    const { type, from, to, value, error } = frame;
    if (error !== undefined && error !== null) return [];
    const passing = runsInPlace(type) ? above : passed(from, value, above);
    const inner = (frame.calls ?? []).flatMap((call, i) => walk(call, [...path, i], passing));
    if (path.length === 0 || !passing || !MOVING.includes(type)) return inner;
    return [...moved(txid, path, passing, to), ...inner];
  };
  return walk(top, [], null);
}

/** Other kinds of calls run somebody's code in the caller's place, or make a contract: no address of ours. */
const MOVING = ['CALL', 'SELFDESTRUCT'];

const runsInPlace = (type: string) => /^(DELEGATECALL|CALLCODE)$/i.test(type);

/** As `callsOf`, of all transactions of a block. */
export function callsOfTraces(traces: readonly FlatTrace[]): InternalCall[] {
  const byPlace = new Map(traces.map((trace) => [placeOf(trace), trace]));
  const above = ({ transactionHash, traceAddress }: FlatTrace): FlatTrace | undefined =>
    traceAddress.length === 0
      ? undefined
      : byPlace.get(placeOf({ transactionHash, traceAddress: traceAddress.slice(0, -1) }));
  const hasFailed = rememberedOf((trace): boolean => Boolean(trace.error) || hasFailed(above(trace)), false);
  const passingOf = rememberedOf((trace): Passing | null => {
    const { callType, from, address, value, balance } = trace.action;
    if (runsInPlace(callType ?? '')) return passingOf(above(trace));
    return passed(from ?? address ?? '', value ?? balance, passingOf(above(trace)));
  }, null);
  return traces.flatMap((trace) => {
    const { type, action, traceAddress: path, transactionHash: txid } = trace;
    const isMoving = type === 'suicide' || (type === 'call' && action.callType === 'call');
    if (!txid || path.length === 0 || !isMoving || hasFailed(trace)) return [];
    const passing = passingOf(trace);
    return passing ? moved(txid, path, passing, type === 'suicide' ? action.refundAddress : action.to) : [];
  });
}

/** Each call's from that of the call above it, which is worked out once for all below. */
function rememberedOf<T>(workOut: (trace: FlatTrace) => T, aboveAll: T): (trace: FlatTrace | undefined) => T {
  const known = new Map<FlatTrace, { readonly worth: T }>();
  return (trace) => {
    if (!trace) return aboveAll;
    const found = known.get(trace) ?? { worth: workOut(trace) };
    known.set(trace, found);
    return found.worth;
  };
}

function placeOf({
  transactionHash,
  traceAddress,
}: Pick<FlatTrace, 'transactionHash' | 'traceAddress'>): string {
  return [transactionHash, ...traceAddress].join('.');
}

function passed(from: string, value: Hex | null | undefined, above: Passing | null): Passing {
  return { from: from.toLowerCase(), valueAtoms: BigInt(value ?? 0), above };
}

function moved(txid: string, path: readonly number[], passing: Passing, to?: string | null): InternalCall[] {
  const { from, valueAtoms } = passing;
  if (from === '' || !to || from === to.toLowerCase() || valueAtoms === 0n) return [];
  return [{ txid, path: path.join('.'), payers: payersOf(passing), to: to.toLowerCase(), valueAtoms }];
}

/**
 * The caller, and above it everybody who passed on at least as much. A call that passed on less broke the line: what was
 * paid below it was somebody else's, such as an escrow's that was told to pay.
 */
function payersOf({ from, valueAtoms, above }: Passing): string[] {
  const payers = new Set([from]);
  for (let one = above; one && one.valueAtoms >= valueAtoms; one = one.above) payers.add(one.from);
  return [...payers];
}
