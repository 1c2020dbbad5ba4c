import type { Hex } from 'viem';
import type { CallFrame, FlatTrace } from './answers/trace-answers.js';
import { callsOf, callsOfTraces } from './internal-calls.js';

const call = (changes: Partial<CallFrame> = {}): CallFrame => ({
  type: 'CALL',
  from: '0xA',
  to: '0xB',
  value: '0x5',
  ...changes,
});
const found = (top: CallFrame) =>
  callsOf('0xt', top).map(({ path, to, valueAtoms }) => [path, to, valueAtoms]);

describe('callsOf', () => {
  it("finds movements at any depth, by their place, but not the transaction's own value", () => {
    const top = call({ calls: [call({ value: '0x0', calls: [call(), call({ to: '0xC' })] }), call()] });
    expect(found(top)).toEqual([
      ['0.0', '0xb', 5n],
      ['0.1', '0xc', 5n],
      ['1', '0xb', 5n],
    ]);
  });

  it('finds nothing in a call that failed, nor in those below it', () => {
    const failed = call({ error: 'execution reverted', calls: [call()] });
    expect(found(call({ calls: [failed, call()] }))).toEqual([['1', '0xb', 5n]]);
    expect(found(call({ error: 'out of gas', calls: [call()] }))).toEqual([]);
  });

  it('takes only what moves coin: no borrowed code, nothing to oneself', () => {
    const others = ['DELEGATECALL', 'STATICCALL', 'CALLCODE', 'CREATE'].map((type) => call({ type }));
    const toSelf = call({ to: '0xA' });
    expect(found(call({ calls: [...others, toSelf, call({ type: 'SELFDESTRUCT' })] }))).toEqual([
      ['5', '0xb', 5n],
    ]);
  });
});

describe('callsOfTraces', () => {
  const trace = (path: number[], changes: Partial<FlatTrace> = {}): FlatTrace => ({
    type: 'call',
    transactionHash: '0xt',
    traceAddress: path,
    action: { callType: 'call', from: '0xA', to: '0xB', value: '0x5' },
    ...changes,
  });

  it('finds the same in a flat list, where a failed call is an ancestor by its place', () => {
    const reward: FlatTrace = {
      type: 'reward',
      traceAddress: [],
      transactionHash: null,
      action: { value: '0x5' },
    };
    const traces = [
      trace([]),
      trace([0], { error: 'Reverted' }),
      trace([0, 0]),
      trace([1], { action: { callType: 'delegatecall', from: '0xA', to: '0xB', value: '0x5' } }),
      trace([2], { type: 'suicide', action: { address: '0xA', refundAddress: '0xC', balance: '0x7' } }),
      trace([3]),
      trace([0, 1], { transactionHash: '0xother' }),
      reward,
    ];
    expect(callsOfTraces(traces).map(({ txid, path, valueAtoms }) => [txid, path, valueAtoms])).toEqual([
      ['0xt', '2', 7n],
      ['0xt', '3', 5n],
      ['0xother', '0.1', 5n],
    ]);
  });
});

/** An owner's transaction (A) through a Safe (S), whose code is elsewhere (D), and a contract (C) to address B. */
describe('whose coin it may have been', () => {
  const chain = (values: readonly [owner: Hex, safe: Hex, contract: Hex]): CallFrame =>
    call({
      from: '0xA',
      to: '0xS',
      value: values[0],
      calls: [
        call({
          type: 'DELEGATECALL',
          from: '0xS',
          to: '0xD',
          value: values[0],
          calls: [
            call({
              from: '0xS',
              to: '0xC',
              value: values[1],
              calls: [call({ from: '0xC', to: '0xB', value: values[2] })],
            }),
          ],
        }),
      ],
    });
  const flat = (frame: CallFrame, path: number[] = []): FlatTrace[] => [
    {
      type: 'call',
      transactionHash: '0xt',
      traceAddress: path,
      action: { ...frame, callType: frame.type.toLowerCase() },
    },
    ...(frame.calls ?? []).flatMap((inner, i) => flat(inner, [...path, i])),
  ];

  it.each([
    [['0x5', '0x5', '0x5'], ['0xc', '0xs', '0xa'], 'everybody who passed on as much'],
    [['0x0', '0x7', '0x5'], ['0xc', '0xs'], 'a Safe, whose owner only gave the order'],
    [
      ['0x5', '0x0', '0x5'],
      ['0xc'],
      'a contract that paid of its own, whatever its callers brought elsewhere',
    ],
    [['0x5', '0x4', '0x5'], ['0xc'], 'a contract that was brought less than it paid'],
  ] as const)('of %j is that of %j: %s', (values, payers, _) => {
    const frame = chain(values);
    for (const calls of [callsOf('0xt', frame), callsOfTraces(flat(frame))])
      expect(calls.find(({ to }) => to === '0xb')?.payers).toEqual(payers);
  });
});
