import type { InternalCall } from '../node/evm-node.types.js';
import { attribute } from './attribution.js';

const calls = (...atoms: bigint[]): InternalCall[] =>
  atoms.map((valueAtoms, i) => ({ txid: '0xt', path: `${i}`, payers: ['0xa'], to: '0xb', valueAtoms }));
const NOTHING = { calls: [], restAtoms: 0n, isContradicted: false };

describe('attribute', () => {
  it('credits calls to their transactions and what they do not explain to the block', () => {
    expect(attribute(10n, calls(4n, 6n))).toEqual({ ...NOTHING, calls: calls(4n, 6n) });
    expect(attribute(10n, calls(4n))).toEqual({ ...NOTHING, calls: calls(4n), restAtoms: 6n });
    expect(attribute(10n, null)).toEqual({ ...NOTHING, restAtoms: 10n });
  });

  it('never credits more than came in, whatever a trace says, and whether the address has spent or not', () => {
    expect(attribute(10n, calls(12n))).toEqual({ calls: [], restAtoms: 10n, isContradicted: true });
    expect(attribute(10n, calls(12n), 3n)).toEqual({ calls: [], restAtoms: 10n, isContradicted: true });
    expect(attribute(0n, calls(1n), 3n)).toEqual({ ...NOTHING, isContradicted: true });
    expect(attribute(-5n, calls(1n), 3n)).toEqual({ ...NOTHING, isContradicted: true });
  });

  it('takes what is no more than the fees for one that was not charged, unless a trace says who paid it', () => {
    expect(attribute(3n, null, 3n)).toEqual(NOTHING);
    expect(attribute(3n, calls(2n), 3n)).toEqual({ ...NOTHING, calls: calls(2n) });
    expect(attribute(4n, null, 3n)).toEqual({ ...NOTHING, restAtoms: 4n });
  });

  it('credits nothing where a balance has only fallen', () => {
    expect(attribute(-5n, null)).toEqual(NOTHING);
    expect(attribute(-5n, [], 3n)).toEqual(NOTHING);
  });
});
