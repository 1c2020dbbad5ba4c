import { readFileSync } from 'node:fs';
import type { Env } from './environment.js';
import { loadConfig } from './load-config.js';

const OPERATIONS = 'docs/operations.md';

/** Every variable that a configuration asks for, in production and in the sandbox. */
function asked(): string[] {
  const names = new Set<string>();
  const get = (_: Env, name: string | symbol) => void names.add(String(name));
  const env = new Proxy<Env>({}, { get });
  expect(() => loadConfig(env)).toThrow('SECRET_KEY is required');
  loadConfig(env, { databaseUrl: 'postgres://localhost/x', secretKey: Buffer.alloc(32), networks: [] });
  return [...names, 'NODE_ENV'].sort();
}

it(`names every environment variable in ${OPERATIONS}, and no other`, () => {
  const rows = readFileSync(OPERATIONS, 'utf8').matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm);
  expect([...rows].map(([, name]) => name).sort()).toEqual(asked());
});
