import { judgeBalance, type Movement, unequalMovements } from './compare.js';

const movement = (changes: Partial<Movement> = {}): Movement => ({
  address: 'a',
  asset: 'USDC',
  txid: 't',
  height: 1,
  atoms: 5n,
  ...changes,
});

it('finds nothing where both hold the same, however a transaction is cut into movements', () => {
  expect(unequalMovements([movement({ atoms: 2n }), movement({ atoms: 3n })], [movement()])).toEqual([]);
});

it('names what only one of the two holds, by address, asset and transaction', () => {
  const chain = [movement(), movement({ txid: 'u', height: 2 })];
  const recorded = [movement(), movement({ address: 'b' }), movement({ asset: 'USDT', atoms: 1n })];
  expect(unequalMovements(chain, recorded)).toEqual([
    { address: 'a', asset: 'USDC', txid: 'u', height: 2, chainAtoms: 5n, recordedAtoms: 0n },
    { address: 'b', asset: 'USDC', txid: 't', height: 1, chainAtoms: 0n, recordedAtoms: 5n },
    { address: 'a', asset: 'USDT', txid: 't', height: 1, chainAtoms: 0n, recordedAtoms: 1n },
  ]);
});

it('names another amount in the same transaction', () => {
  expect(unequalMovements([movement({ atoms: 6n })], [movement()])).toMatchObject([
    { chainAtoms: 6n, recordedAtoms: 5n },
  ]);
});

it.each([
  [5n, 5n, false, 'same'],
  [5n, 5n, true, 'spent'],
  [6n, 5n, false, 'unexplained'],
  [6n, 5n, true, 'unexplained'],
  [4n, 5n, true, 'spent'],
  [4n, 5n, false, 'missing'],
] as const)('judges a balance of %s against %s, sent: %s, as %s', (balance, recorded, hasSent, verdict) => {
  expect(judgeBalance(balance, recorded, hasSent)).toBe(verdict);
});
