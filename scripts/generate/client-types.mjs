// Generates the client's types from the committed contract: part of `npm run openapi`. A test compares them.
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import prettier from 'prettier';

export const TYPES = 'packages/client/src/contract.ts';
const HEADER = '// Generated from docs/openapi.json by `npm run openapi`. Do not edit.\n\n';

/** @returns {Promise<string>} */
export async function clientTypes() {
  const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
  const types = astToString(await openapiTS(document));
  const options = await prettier.resolveConfig(TYPES);
  return prettier.format(HEADER + types, { ...options, parser: 'typescript' });
}

if (process.argv[1] === import.meta.filename) writeFileSync(TYPES, await clientTypes());
