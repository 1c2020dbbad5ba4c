import type { Hex } from 'viem';
import type { InternalCall } from './evm-node.types.js';

/** geth's `callTracer`: the tree of one transaction's calls. */
export interface CallFrame {
  readonly type: string;
  readonly from: string;
  readonly to?: string;
  readonly value?: Hex;
  readonly error?: string;
  readonly calls?: readonly CallFrame[];
}

/** One of `trace_block`'s flat list, in which a call's place is its `traceAddress`. */
export interface FlatTrace {
  readonly type: string;
  readonly action: {
    readonly callType?: string;
    readonly from?: string;
    readonly to?: string;
    readonly value?: Hex;
    readonly address?: string;
    readonly refundAddress?: string;
    readonly balance?: Hex;
  };
  readonly error?: string | null;
  readonly traceAddress: readonly number[];
  readonly transactionHash?: string | null;
  readonly blockHash?: string | null;
}

/** Other kinds of calls run somebody's code in the caller's place, and move nothing. */
const MOVING = ['CALL', 'SELFDESTRUCT'];

/** Everything that moved inside a transaction, without its own top-level value. A call that failed took all below it back. */
export function callsOf(txid: string, top: CallFrame): InternalCall[] {
  const walk = (frame: CallFrame, path: readonly number[]): InternalCall[] => {
    if (frame.error !== undefined) return [];
    const inner = (frame.calls ?? []).flatMap((call, i) => walk(call, [...path, i]));
    if (path.length === 0 || !MOVING.includes(frame.type)) return inner;
    return [...moved(txid, path, frame.from, frame.to, frame.value), ...inner];
  };
  return walk(top, []);
}

export function callsOfTraces(traces: readonly FlatTrace[]): InternalCall[] {
  const failed = new Set(traces.filter(({ error }) => error).map(placeOf));
  return traces.flatMap((trace) => {
    const { action, traceAddress: path, transactionHash: txid } = trace;
    if (!txid || path.length === 0) return [];
    const places = [...path.keys(), path.length].map((length) => path.slice(0, length));
    if (places.some((place) => failed.has(placeOf({ ...trace, traceAddress: place })))) return [];
    if (trace.type === 'suicide')
      return moved(txid, path, action.address, action.refundAddress, action.balance);
    if (trace.type !== 'call' || action.callType !== 'call') return [];
    return moved(txid, path, action.from, action.to, action.value);
  });
}

function placeOf({ transactionHash, traceAddress }: FlatTrace): string {
  return [transactionHash, ...traceAddress].join('.');
}

function moved(txid: string, path: readonly number[], from?: string, to?: string, value?: Hex) {
  const valueAtoms = BigInt(value ?? 0);
  if (!from || !to || from === to || valueAtoms === 0n) return [];
  return [{ txid, path: path.join('.'), from: from.toLowerCase(), to: to.toLowerCase(), valueAtoms }];
}
