import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { german } from './german/german.js';

const DASHBOARD = join(import.meta.dirname, '..');
/** What only programmers read. */
const FOR_NOBODY = /(?:\bnew \w*Error|\bnotFound\(|super\(|\bunrecorded:|\blogger\.|\bsecurity\.)/;
/** Names, and what is typed into a command line. */
const SAME = /^(?:Mac OS$|rappen )/;
const PROSE = /[\p{L}’]{2,}[,:;]? [\p{L}’]+/u;
/** Of what is shown, single words too. */
const SHOWN = /\b(?:title|label|text|what|detail|todo|heading|summary|name|hint):(?: [\w.]+ \?)? $/;

/** The words themselves, and the elements that they are drawn in. */
const NO_WORDS = /\.spec\.ts$|^language\/|\/template-helpers\.ts$/;

/** Literals that read like something said to people, and are no text of the catalogue. */
function bareSentences(source: string): string[] {
  const lines = source.replaceAll(/\/\*.*?\*\//gs, '').split('\n');
  return lines.flatMap((line, i) => {
    const before = lines[i - 1] ?? '';
    if (/^\s*\/\/|^import |^} from /.test(line) || FOR_NOBODY.test(line) || FOR_NOBODY.test(before))
      return [];
    return [...line.replace(/ \/\/ .*/, '').matchAll(/(['`])((?:(?!\1)[^\\]|\\.)*)\1/g)]
      .map(({ index, 2: text }) => ({ text: text!, isShown: SHOWN.test(line.slice(0, index)) }))
      .filter(({ text, isShown }) => PROSE.test(withoutValues(text)) || (isShown && /^[A-Z]/.test(text)))
      .map(({ text }) => text)
      .filter((text) => !Object.hasOwn(german, text) && !SAME.test(text));
  });
}

/** What is put into a literal is looked at by itself. */
function withoutValues(text: string): string {
  const inner = text.replaceAll(/\{[^{}]*\}/g, '');
  return inner === text ? text : withoutValues(inner);
}

it.each([
  ["title: 'Bare words',", ['Bare words']],
  ["label: 'Bare',", ['Bare']],
  ['const text = `${count} bare words`;', ['${count} bare words']],
  ["title: say('Home'),", []],
  ["throw new Error('bare words');\nthrow new DomainError('not_found', 'not-found', 'bare words');", []],
  ["kind: 'bare', // it's bare words", []],
])('finds what nobody translates in %s', (source, found) => {
  expect(bareSentences(source)).toEqual(found);
});

it('the code of the dashboard says its words in the reader’s language', () => {
  const files = readdirSync(DASHBOARD, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !NO_WORDS.test(file));
  const bare = files
    .map((file) => [file, bareSentences(readFileSync(join(DASHBOARD, file), 'utf8'))] as const)
    .filter(([, texts]) => texts.length > 0);
  expect(bare).toEqual([]);
});
