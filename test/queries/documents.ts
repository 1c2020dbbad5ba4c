import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXAMPLES } from './examples.js';
import type { NamedStatement } from './statements.js';

const FOLDER = join(import.meta.dirname, '../../docs/queries');
const README = 'README.md';
/** What stands in the place of a plan that nobody has asked for. */
const NONE_YET = 'none yet';
const ENTRY = /^## (\S+)\n[^]*?\n```text\n([^]*?)\n```$/gm;

/** What `docs/queries` should hold: the text of each file by its name. */
export function documentsOf(
  statements: readonly NamedStatement[],
  plans: ReadonlyMap<string, string>,
): Map<string, string> {
  const modules = [...new Set(statements.map(({ module }) => module))].sort();
  return new Map(modules.map((module) => [`${module}.md`, documentOf(module, statements, plans)]));
}

/** What it holds, without the page that explains it. */
export function writtenDocuments(): Map<string, string> {
  const files = existsSync(FOLDER) ? readdirSync(FOLDER).filter((file) => file !== README) : [];
  return new Map(files.map((file) => [file, readFileSync(join(FOLDER, file), 'utf8')]));
}

/** The plans in them, by the statement's name. */
export function writtenPlans(): Map<string, string> {
  const entries = [...writtenDocuments().values()].flatMap((text) => [...text.matchAll(ENTRY)]);
  return new Map(entries.map(([, name = '', plan = '']) => [name, plan]));
}

/** The names of those that stand there without one: written by `--moved`, or by hand. */
export function unplanned(plans: ReadonlyMap<string, string>): string[] {
  return [...plans].filter(([, plan]) => ['', NONE_YET].includes(plan.trim())).map(([name]) => name);
}

export function writeDocuments(documents: ReadonlyMap<string, string>): void {
  mkdirSync(FOLDER, { recursive: true });
  for (const file of writtenDocuments().keys()) rmSync(join(FOLDER, file));
  for (const [file, text] of documents) writeFileSync(join(FOLDER, file), text);
}

function documentOf(
  module: string,
  statements: readonly NamedStatement[],
  plans: ReadonlyMap<string, string>,
): string {
  const head = `# Named statements of \`${module}\`\n\nWritten by \`npm run queries\`; [what this is](README.md).\n`;
  const own = statements.filter((statement) => statement.module === module);
  return [head, ...own.map((statement) => entryOf(statement, plans.get(statement.name)))].join('\n');
}

function entryOf({ name, file, purpose, text }: NamedStatement, plan = NONE_YET): string {
  const values = EXAMPLES[name];
  return `## ${name}

${[purpose, `In \`${file}\`.`].join(' ').trim()}

\`\`\`sql
${undented(text)}
\`\`\`

${values === undefined ? 'Whatever its values:' : `With \`${values}\`:`}

\`\`\`text
${plan}
\`\`\`
`;
}

/** Without the indentation of the source, of which the first line has none. */
function undented(text: string): string {
  const [first = '', ...rest] = text
    .trim()
    .split('\n')
    .map((line) => line.trimEnd());
  const indentations = rest.filter(Boolean).map((line) => line.search(/\S/));
  const least = Math.min(...indentations);
  return [first, ...rest.map((line) => line.slice(least))].join('\n');
}
