import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const files = ['src', 'test', 'packages']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `/${folder}/${file}`,
    ),
  )
  .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'));
const suites = files.filter((file) => file.endsWith('spec.ts'));

/** Of each command that runs some suites, what it finds them by. */
const patterns = Object.entries(scripts).flatMap(([name, command]) => {
  const [, quoted, bare] = /--testPathPatterns (?:'([^']+)'|(\S+))/.exec(command) ?? [];
  const pattern = quoted ?? bare;
  return pattern === undefined ? [] : [[name, pattern] as const];
});

/** Each variable that such a command sets, with the files of the tests that it runs and what those import. */
const settings = patterns.flatMap(([name, pattern]) => {
  const [assignments = ''] = /^(\w+=\S+ )*/.exec(scripts[name] ?? '') ?? [];
  const reached = new Set<string>();
  suites.filter((suite) => new RegExp(pattern).test(suite)).forEach((suite) => reach(suite, reached));
  return [...assignments.matchAll(/(\w+)=/g)].map(([, variable = '']) => ({ name, variable, reached }));
});

/** Each variable by which a test runs longer, as `runsOf` and `seedOf` are told, with the file that reads it. */
const longForms = files.flatMap((file) => {
  const told = textOf(file).matchAll(/\b(?:runsOf\(|seedOf\(\s*'\w+',)\s*'(\w+)'/g);
  return [...new Set([...told].map(([, variable = '']) => variable))].map(
    (variable) => [variable, file] as const,
  );
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

it('knows the long forms of tests', () => {
  expect(longForms.length).toBeGreaterThan(20);
  expect(settings.length).toBeGreaterThan(10);
  // A number that is read past `runsOf` is a long form of which nothing here knows.
  expect(suites.filter((suite) => /Number\(process\.env/.test(textOf(suite)))).toEqual([]);
});

it.each(longForms)(
  'a command sets %s and runs %s, whose long form would never be run otherwise',
  (variable, file) => {
    const commands = settings.filter((set) => set.variable === variable && set.reached.has(file));
    expect(commands).not.toEqual([]);
  },
);

it.each(settings)(
  'npm run $name sets $variable, which something that it runs reads',
  ({ variable, reached }) => {
    const name = new RegExp(`\\b${variable}\\b`);
    expect([...reached].filter((file) => name.test(textOf(file)))).not.toEqual([]);
  },
);

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Adds a file and what it imports of the project. */
function reach(file: string, reached: Set<string>): void {
  if (reached.has(file)) return;
  reached.add(file);
  for (const [, imported = ''] of textOf(file).matchAll(/from '(\.[^']+)\.js'/g)) {
    const path = `${join(dirname(file), imported)}.ts`;
    if (existsSync(join(ROOT, path))) reach(path, reached);
  }
}
