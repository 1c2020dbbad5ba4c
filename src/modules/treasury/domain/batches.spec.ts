import { batches, expectedGas, MOST_GAS, roomFor } from './batches.js';

const some = (count: number, isDeployed = false) =>
  Array.from({ length: count }, (_, index) => ({ index, isDeployed }));
const sizes = (count: number, blockGas: bigint | null = null, isDeployed = false) =>
  batches(some(count, isDeployed), blockGas).map(({ length }) => length);

it('takes at most 250 addresses that nothing was collected from yet, as the manual says', () => {
  expect(sizes(0)).toEqual([]);
  expect(sizes(250)).toEqual([250]);
  expect(sizes(251)).toEqual([250, 1]);
  expect(sizes(1000)).toEqual([250, 250, 250, 250]);
});

it('takes more of those whose code is there, and less where a block has less gas', () => {
  expect(sizes(689, null, true)).toEqual([688, 1]);
  expect(sizes(200, 8_000_000n)).toEqual([117, 83]);
  expect(sizes(250, 30_000_000n)).toEqual([250]);
});

it('keeps each address once, in order, and one for each transaction however little gas there is', () => {
  expect(batches(some(700), null).flat()).toEqual(some(700));
  expect(sizes(3, 21_000n)).toEqual([1, 1, 1]);
});

it('fills a transaction to its last unit of gas', () => {
  const forTwo = 243_000n + 2n * 66_000n;
  expect(sizes(2, forTwo)).toEqual([2]);
  expect(sizes(2, forTwo - 1n)).toEqual([1, 1]);
});

it('asks for what the addresses need and not for a whole block', () => {
  expect(roomFor(some(1), null)).toBe(309_000n);
  expect(roomFor(some(10), 30_000_000n)).toBe(903_000n);
  expect(roomFor([...some(1), ...some(1, true)], null)).toBe(333_000n);
});

it('expects no batch to come near the limit of a transaction', () => {
  for (const isDeployed of [true, false]) {
    for (const batch of batches(some(1000, isDeployed), null)) {
      for (const kind of ['token', 'coin'] as const) {
        expect(Number(expectedGas([batch], kind))).toBeLessThan(Number((MOST_GAS * 95n) / 100n));
      }
    }
  }
});

it('expects what was measured: 300 addresses of a token at 55,217, one at 87,913', () => {
  expect(Number(expectedGas([some(300)], 'token')) / 300).toBeCloseTo(55_217, -3);
  expect(Number(expectedGas([some(1)], 'token'))).toBeCloseTo(87_913, -3);
  expect(Number(expectedGas([some(100, true)], 'coin')) / 100).toBeCloseTo(12_632, -3);
});

it('leaves the factory what it wants before the last address, and never takes more than a block has', () => {
  const wanted = 210_000n; // GAS_NEEDED in contracts/ForwarderFactory.sol
  for (const isDeployed of [true, false]) {
    for (const count of [1, 10, 200]) {
      const [batch] = batches(some(count, isDeployed), null);
      // All but the last address, and the code of the last.
      const used = expectedGas([batch!], 'coin');
      expect(roomFor(batch!, null)).toBeGreaterThan(used + wanted - 30_000n);
    }
  }
  for (const blockGas of [8_000_000n, 30_000_000n, null])
    for (const batch of batches(some(700), blockGas))
      expect(roomFor(batch, blockGas)).toBeLessThanOrEqual(blockGas === 8_000_000n ? blockGas : MOST_GAS);
  expect(roomFor(some(1), 100_000n)).toBe(100_000n);
});
