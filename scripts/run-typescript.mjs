// Runs `main` of a TypeScript file of test/ with the arguments that follow its name: `npm test`, `npm run chaos`, `npm run bench`.
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';

register('../test/support/run/typescript-loader.mjs', import.meta.url);
const [file, ...args] = process.argv.slice(2);
const { main } = await import(pathToFileURL(file).href);
await main(args).catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
