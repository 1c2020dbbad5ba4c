// ESLint for `npm run check`, with a memory of what was clean. A file is judged anew when it has changed, or the types
// that reach it by imports have: ESLint's own memory knows files alone, and would keep a verdict about types that are
// gone. The compiler has noted before (`types.tsbuildinfo`) which file imports which, and the shape of each: the hash of
// its declarations, which stays when only the inside of a function changes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const MEMORY = join(root, 'node_modules/.cache/lint.json');
const PROGRAM = join(root, 'node_modules/.cache/types.tsbuildinfo');

const read = (path) => readFileSync(join(root, path), 'utf8');
const sha = (parts) => createHash('sha256').update(parts.join('\n')).digest('hex');

function filesToLint() {
  const words = [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '*.ts',
    '*.mts',
    '*.js',
    '*.mjs',
    '*.cjs',
  ];
  const listed = execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  return [...new Set(listed)].filter((path) => existsSync(join(root, path)));
}

/** @returns of a file of ours, the shapes of all of ours that its imports lead to */
function reachableShapes() {
  const { fileNames, fileInfos, fileIdsList, referencedMap } = JSON.parse(readFileSync(PROGRAM, 'utf8'));
  const paths = fileNames.map((name) => relative(root, resolve(dirname(PROGRAM), name)));
  // What is not ours changes with the lock file alone.
  const isOurs = (id) => !paths[id - 1].includes('node_modules');
  const shapeOf = (id) => {
    const info = fileInfos[id - 1];
    return typeof info === 'string' ? info : info.signature || info.version;
  };
  const imports = new Map(referencedMap.map(([id, list]) => [id, fileIdsList[list - 1].filter(isOurs)]));
  const ids = new Map(paths.map((path, at) => [path, at + 1]));
  const ambient = [...ids.values()].filter((id) => isOurs(id) && paths[id - 1].endsWith('.d.ts'));
  const everything = [...ids.values()].filter(isOurs).map(shapeOf);
  return (path) => {
    const id = ids.get(path);
    if (id === undefined) return path.endsWith('ts') ? everything : [];
    const seen = new Set([id, ...ambient]);
    for (const one of seen) for (const next of imports.get(one) ?? []) seen.add(next);
    return [...seen]
      .filter((one) => one !== id)
      .sort((a, b) => a - b)
      .map((one) => `${paths[one - 1]} ${shapeOf(one)}`);
  };
}

const rules = sha(['package-lock.json', 'eslint.config.js', 'tsconfig.json'].map(read));
const shapesOf = reachableShapes();
const keys = new Map(filesToLint().map((path) => [path, sha([rules, read(path), ...shapesOf(path)])]));
const known = existsSync(MEMORY) ? JSON.parse(readFileSync(MEMORY, 'utf8')) : {};
const anew = [...keys.keys()].filter((path) => known[path] !== keys.get(path));

if (anew.length > 0) {
  const eslint = new ESLint({ cwd: root, warnIgnored: false });
  const results = await eslint.lintFiles(anew);
  const flawed = results.filter(({ messages }) => messages.length > 0);
  for (const { filePath } of flawed) keys.delete(relative(root, filePath));
  writeFileSync(MEMORY, JSON.stringify(Object.fromEntries(keys)));
  process.stdout.write(
    (await (await eslint.loadFormatter('stylish')).format(flawed)) + `${anew.length} files judged\n`,
  );
  process.exitCode = flawed.length > 0 ? 1 : 0;
}
