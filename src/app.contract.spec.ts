import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractText } from './app.contract.js';

const COMMITTED = join(import.meta.dirname, '..', 'docs', 'openapi.json');

it('is the committed docs/openapi.json: after a change of the API run `npm run openapi`', async () => {
  expect(await contractText()).toBe(readFileSync(COMMITTED, 'utf8'));
});
