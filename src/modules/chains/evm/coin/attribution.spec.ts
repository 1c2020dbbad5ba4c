import { attribute } from './attribution.js';
import type { InternalCall } from '../node/evm-node.types.js';

const calls = (...atoms: bigint[]): InternalCall[] =>
  atoms.map((valueAtoms, i) => ({ txid: '0xt', path: `${i}`, payers: ['0xa'], to: '0xb', valueAtoms }));

describe('attribute', () => {
  it('credits calls to their transactions and what they do not explain to the block', () => {
    expect(attribute(10n, calls(4n, 6n), false)).toEqual({ calls: calls(4n, 6n), restAtoms: 0n });
    expect(attribute(10n, calls(4n), false)).toEqual({ calls: calls(4n), restAtoms: 6n });
    expect(attribute(10n, null, false)).toEqual({ calls: [], restAtoms: 10n });
  });

  it('believes a trace that says more than the balance only of an address that has spent', () => {
    expect(attribute(10n, calls(12n), false)).toEqual({ calls: [], restAtoms: 10n });
    expect(attribute(10n, calls(12n), true)).toEqual({ calls: calls(12n), restAtoms: 0n });
    expect(attribute(-5n, calls(12n), true)).toEqual({ calls: calls(12n), restAtoms: 0n });
  });

  it('credits nothing where a balance has only fallen', () => {
    expect(attribute(-5n, null, true)).toEqual({ calls: [], restAtoms: 0n });
    expect(attribute(-5n, calls(1n), false)).toEqual({ calls: [], restAtoms: 0n });
  });
});
