import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../src/platform/process/version.js';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const json = (path: string) => JSON.parse(read(path)) as Record<string, unknown>;

it('the client has the version of the service whose API it speaks, in its package and in the lock file', () => {
  expect(json('packages/client/package.json').version).toBe(VERSION);
  const locked = json('package-lock.json').packages as Record<string, { readonly version: string }>;
  expect(['', 'packages/client'].map((path) => locked[path]?.version)).toEqual([VERSION, VERSION]);
});

it('the archive that the client’s README names is the one that npm makes of it', () => {
  const named = [...read('packages/client/README.md').matchAll(/rappen-client-(\d+\.\d+\.\d+)\.tgz/g)];
  expect(named.map(([, version]) => version)).toEqual([VERSION, VERSION]);
});
