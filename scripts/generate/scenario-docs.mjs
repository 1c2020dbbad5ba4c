// Writes the table of docs/scenarios.md from the scenarios' definitions, which the tests assert; with --check it only
// compares, and exits 1 when they differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

register('../../test/support/run/typescript-loader.mjs', import.meta.url);
const { NETWORK_KINDS } = await import('../../src/modules/sandbox/scenarios.types.ts');
const { SCENARIOS } = await import('../../src/modules/sandbox/scenarios.pure.ts');

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const target = join(root, 'docs', 'scenarios.md');
const [BEGIN, END] = ['<!-- generated: npm run docs:scenarios -->', '<!-- end of what is generated -->'];
const KIND_NAMES = { 'evm-token': 'EVM token', 'evm-coin': 'EVM coin', 'bitcoin-like': 'Bitcoin-like' };

const HEAD = [
  'Scenario',
  'Network',
  'What is done',
  'Events',
  'Ends as',
  'Settlement record',
  'Review entry',
];

/** Kinds of networks with the same course share a row. */
function rowsOf([name, { summary, courses }]) {
  const groups = new Map();
  for (const kind of NETWORK_KINDS) {
    const key = JSON.stringify(courses[kind]);
    groups.set(key, [...(groups.get(key) ?? []), kind]);
  }
  return [...groups].map(([key, kinds], index) => [
    index === 0 ? `\`${name}\`: ${summary}` : '',
    kinds.length === NETWORK_KINDS.length ? 'all' : kinds.map((kind) => KIND_NAMES[kind]).join(', '),
    ...cellsOf(JSON.parse(key)),
  ]);
}

function cellsOf({ does, outcome, impossible }) {
  if (impossible) return [`Not possible here: ${impossible}.`, '', '', '', ''];
  const { statuses, whenWindowEnds, settlement, review } = outcome;
  return [
    does,
    statuses.join(', '),
    `\`${statuses.at(-1)}\`${whenWindowEnds ? ' when the window ends' : ''}`,
    settlement ? `${settlement.received} % received, ${settlement.excess} % excess` : 'none',
    review ? `\`${review}\`` : 'none',
  ];
}

function table() {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const rows = Object.entries(SCENARIOS).flatMap(rowsOf);
  return [line(HEAD), line(HEAD.map(() => '---')), ...rows.map(line)].join('\n');
}

const text = readFileSync(target, 'utf8');
const [before, after] = [text.split(BEGIN)[0], text.split(END)[1]];
if (after === undefined) throw new Error(`docs/scenarios.md has lost its marks: ${BEGIN} and ${END}`);
const wanted = `${before}${BEGIN}\n\n${table()}\n\n${END}${after}`;

if (!process.argv.includes('--check')) {
  writeFileSync(target, wanted);
} else if (text !== wanted) {
  process.stderr.write('docs/scenarios.md differs from the scenarios: run `npm run docs:scenarios`.\n');
  process.exitCode = 1;
}
