import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { only } from '../../src/kernel/lookups.js';

// test/support/jest/shared-runtime.cjs loads what stands in src; where Jest changes beneath it, this says so.
const FILE = join(import.meta.dirname, '../../src/kernel/lookups.ts');

it('names the line of src in a trace', () => {
  const lines = readFileSync(FILE, 'utf8').split('\n');
  const thrownAt = lines.findIndex((line) => line.includes('throw new RangeError(`one entry')) + 1;
  expect(thrownAt).toBeGreaterThan(0);
  let stack = '';
  try {
    only([]);
  } catch (error) {
    stack = (error as Error).stack ?? '';
  }
  expect(stack).toContain(`lookups.ts:${thrownAt}:`);
});

it('loads a module of src once, even where Jest would load it anew', async () => {
  await jest.isolateModulesAsync(async () => {
    expect((await import('../../src/kernel/lookups.js')).only).toBe(only);
  });
});
