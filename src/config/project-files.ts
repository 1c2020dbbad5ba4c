import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** The folder of `package.json`: of a clone, or of what is shipped. */
const ROOT = rootAbove(import.meta.dirname);

/** `src`, or `dist` where this was built; there this file's own place is lost, and that of those that ask too. */
const [TREE = ''] = relative(ROOT, import.meta.dirname).split(sep);

/** Where something of the project lies that is read while it runs: `views`, `public`. */
export function projectFile(path: string): string {
  return join(ROOT, path);
}

/** Where a file lies that is no TypeScript but stands among it: `database/migrations`. `scripts/build.mjs` copies those. */
export function sourceFile(path: string): string {
  return join(ROOT, TREE, path);
}

function rootAbove(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const above = dirname(folder);
  if (above === folder) throw new Error('no package.json lies above the program: ship it beside dist');
  return rootAbove(above);
}
