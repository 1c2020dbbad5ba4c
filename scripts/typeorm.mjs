// `npm run typeorm -- migration:show`: TypeORM's own command line, which can read TypeScript no more than Node itself.
import { register } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

register('../test/support/run/typescript-loader.mjs', import.meta.url);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [command = '--help', ...rest] = process.argv.slice(2);
// Entities name no foreign key, CHECK or index: made from them, a table or a migration would have lost every one.
const refused = process.argv.find((word) => /^(schema:(sync|drop)|migration:generate)$/.test(word));
if (refused !== undefined) {
  console.error(`${refused} is not for these tables: migrations alone change them, and are written by hand.`);
  process.exit(1);
}
const isNamed = rest.some((word) => /^(-d|--dataSource)(=|$)/.test(word));
const source = command.startsWith('-') || isNamed ? [] : ['--dataSource', join(root, 'ormconfig.ts')];
process.argv = [process.argv[0], 'typeorm', command, ...source, ...rest];
await import(pathToFileURL(join(root, 'node_modules', 'typeorm', 'cli.js')).href);
