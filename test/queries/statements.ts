import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { registeredStatements, type Statement } from '../../src/database/statement.js';

const ROOT = join(import.meta.dirname, '../..');
/** `.d.ts` and tests make no statements. Lint allows them here alone (docs/adr/0051). */
const DATA_FILE = /\/(data|database)\/.*(?<!\.spec|\.d)\.ts$/;
const DECLARATION =
  /(?:\/\*\*((?:(?!\*\/)[^])*)\*\/\n)?(?:export )?const \w+ = (?:statement|writeStatement)\(\s*'([^']+)'/g;

/** A prepared statement of the service, with where it stands. */
export interface NamedStatement extends Pick<Statement, 'name' | 'text'> {
  /** The folder in `src/modules`, or in `src`. */
  readonly module: string;
  /** From the root of the project. */
  readonly file: string;
  /** The comment above it; empty where there is none. */
  readonly purpose: string;
}

/**
 * All of them, by file and then in the order of the file. What counts is what registered itself while all files that may
 * hold statements were loaded; the sources say where each stands.
 * @throws when one is not declared as `const NAME = statement('name', …)`
 */
export async function namedStatements(): Promise<NamedStatement[]> {
  const files = dataFiles();
  for (const file of files) await import(`../../${file.replace(/\.ts$/, '.js')}`);
  const texts = new Map(registeredStatements().map(({ name, text }) => [name, text]));
  const found = files.flatMap((file) => declarationsIn(file)).filter(({ name }) => texts.has(name));
  const named = new Set(found.map(({ name }) => name));
  const lost = [...texts.keys()].filter((name) => !named.has(name));
  if (lost.length > 0)
    throw new Error(`Not declared as const NAME = statement('name', …): ${lost.join(', ')}`);
  return found.map((statement) => ({ ...statement, text: texts.get(statement.name)! }));
}

function dataFiles(): string[] {
  return readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((file) => DATA_FILE.test(file))
    .sort();
}

function declarationsIn(file: string): Omit<NamedStatement, 'text'>[] {
  const [, top = '', inside = ''] = file.split('/');
  const module = top === 'modules' ? inside : top;
  const source = readFileSync(join(ROOT, file), 'utf8');
  return [...source.matchAll(DECLARATION)].map(([, comment = '', name = '']) => ({
    name,
    module,
    file,
    purpose: comment.replaceAll(/\s*\n?\s*\*?\s+/g, ' ').trim(),
  }));
}
