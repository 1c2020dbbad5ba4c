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

it('has each command be the one program that it runs, or a signal to npm would leave that running', () => {
  const programs = Object.entries(scripts).filter(([name, command]) => {
    const isBefore = name.startsWith('pre') && name.slice(3) in scripts;
    return !isBefore && /^(exec )?node /.test(command) && !command.includes('&&');
  });
  expect(programs.length).toBeGreaterThan(10);
  expect(programs.filter(([, command]) => !command.startsWith('exec '))).toEqual([]);
});

it('knows the commands that run some suites', () => {
  expect(patterns.length).toBeGreaterThan(5);
});

it.each(patterns)('npm run %s finds suites by %s', (_name, pattern) => {
  expect(suites.filter((suite) => new RegExp(pattern).test(suite))).not.toEqual([]);
});
