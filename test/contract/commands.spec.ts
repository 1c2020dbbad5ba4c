import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const suites = ['src', 'test', 'packages']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `/${folder}/${file}`,
    ),
  )
  .filter((file) => file.endsWith('spec.ts') && !file.includes('node_modules'));

/** Of each command that runs some suites, what it finds them by. */
const patterns = Object.entries(scripts).flatMap(([name, command]) => {
  const [, quoted, bare] = /--testPathPatterns (?:'([^']+)'|(\S+))/.exec(command) ?? [];
  const pattern = quoted ?? bare;
  return pattern === undefined ? [] : [[name, pattern] as const];
});

it('knows the commands that run some suites', () => {
  expect(patterns.length).toBeGreaterThan(5);
});

it.each(patterns)('npm run %s finds suites by %s', (_name, pattern) => {
  expect(suites.filter((suite) => new RegExp(pattern).test(suite))).not.toEqual([]);
});
