// Compiles the client twice, for `import` and for `require`. Types come with each, because TypeScript takes the kind of
// a module from them.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const at = (...parts) => join(import.meta.dirname, ...parts);
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

rmSync(at('dist'), { recursive: true, force: true });
for (const config of ['tsconfig.json', 'tsconfig.cjs.json'])
  execFileSync(process.execPath, [tsc, '-p', at(config)], { stdio: 'inherit' });
// Beside it the package says "module".
writeFileSync(at('dist', 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
