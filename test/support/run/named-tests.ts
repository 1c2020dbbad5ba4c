import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const DOCUMENTS = ['rules.md', 'webhooks.md'];

export interface NamedTest {
  /** From the project's folder. */
  readonly file: string;
  /** As it stands in the file: a title that is made for each row of a table has `%s` in it. */
  readonly title: string;
}

const textOf = (name: string): string => readFileSync(join(ROOT, 'docs', name), 'utf8');

/** The cells of the documents' tables that name a test as a rule's proof. */
export function namedTests(): NamedTest[] {
  return DOCUMENTS.flatMap((name) => textOf(name).split('\n').flatMap(testsIn));
}

/** The tests of `docs/rules.md` in which the service raises an alert, by its kind. */
export function provenAlerts(): (NamedTest & { readonly kind: string })[] {
  const [, section = ''] = textOf('rules.md').split('\n## Alerts\n');
  return (section.split('\n## ')[0] ?? '').split('\n').flatMap((row) => {
    const kind = /^\| `([a-z-]+)` \|/.exec(row)?.[1];
    return kind === undefined ? [] : testsIn(row).map((test) => ({ kind, ...test }));
  });
}

const NAMED_TEST = /^`(\S+\.ts)` › (.+)$/;

/** What the last cell of a row of a table says. */
const saidIn = (row: string): string[] =>
  row.startsWith('|') ? (row.split('|').at(-2)?.split('<br>') ?? []).map((said) => said.trim()) : [];

function testsIn(row: string): NamedTest[] {
  return saidIn(row)
    .map((said) => NAMED_TEST.exec(said))
    .flatMap((found) => (found ? [{ file: found[1] ?? '', title: found[2] ?? '' }] : []));
}

/** What the rows of tables say in place of a test, unless it is why there is none. */
export function unread(document: string): string[] {
  const lines = document.split('\n');
  const isOfHead = (at: number) => [at, at + 1].some((each) => /^\|[-| ]+\|$/.test(lines[each] ?? ''));
  return lines
    .filter((_, at) => !isOfHead(at))
    .flatMap(saidIn)
    .filter((said) => !NAMED_TEST.test(said) && !/^(Not tested: |see )/.test(said));
}

/** Of a run: the titles of a file, and how each ended (`passed`, `failed`, `pending` and others of Jest's). */
export type Outcomes = ReadonlyMap<string, readonly { readonly title: string; readonly status: string }[]>;

/** @returns the named tests of which the run did not see at least one, and all of them pass */
export function unproven(named: readonly NamedTest[], outcomes: Outcomes): NamedTest[] {
  return named.filter(({ file, title }) => {
    const pattern = matching(title);
    const seen = (outcomes.get(file) ?? []).filter((outcome) => pattern.test(outcome.title));
    return seen.length === 0 || seen.some(({ status }) => status !== 'passed');
  });
}

function matching(title: string): RegExp {
  const parts = title.split(/%[sdifjoOp#]|\$\{[^}]*\}|\$[\w.]+/);
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`, 's');
}
