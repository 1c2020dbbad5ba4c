import { rowReader } from './columns.js';

interface Row {
  readonly id: string;
  readonly atoms: bigint;
  readonly excess: bigint | null;
}

it('a row is read with its bigints, beyond what a float holds, and nothing where there is none', () => {
  const read = rowReader<Row>({ atoms: true, excess: true });
  expect(read({ id: '7', atoms: '9007199254740993', excess: '0' })).toEqual({
    id: '7',
    atoms: 9_007_199_254_740_993n,
    excess: 0n,
  });
  expect(read({ id: '7', atoms: '1', excess: null })).toEqual({ id: '7', atoms: 1n, excess: null });
});
