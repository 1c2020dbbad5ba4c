import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sayIn } from './say.js';

const MODULES = join(import.meta.dirname, '..', '..');
/** Of files that say what an alert says. */
const RAISES = /alerts\.types\.js'.*\bsummary\b/s;

const LITERAL = /(['`])((?:(?!\1)[^\\\n]|\\.)*)\1(\s*\+\s*(?=['`]))?/g;

/**
 * What literals say that have some words in a row, which may stand in several lines. 7 is what they name; a sentence that
 * is put in is looked at where it stands.
 */
function textsIn(source: string): string[] {
  const code = source
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/\$\{(?:[^{}`]|`[^`]*`)*\}/g, '7');
  const texts = [''];
  for (const [, , part, goesOn] of code.matchAll(LITERAL)) {
    texts.push(`${texts.pop()}${part!.replaceAll('\\`', '`')}`);
    if (goesOn === undefined) texts.push('');
  }
  return texts
    .map((text) => text.replaceAll(/(?<=^|\. )7 ?(?=[A-Z])/g, '').trim())
    .filter((text) => BEGINS.test(text) && (text.match(/[a-z]{2,}/g) ?? []).length >= FEWEST_WORDS);
}

const BEGINS = /^(?:[A-Z]|7 )/;
const FEWEST_WORDS = 4;

it('finds what is said over several lines', () => {
  expect(textsIn("detail:\n      `A ${x} of ` +\n      'the first kind. More of it.',")).toEqual([
    'A 7 of the first kind. More of it.',
  ]);
});

it('what alerts say is said in German, on pages and in mails', () => {
  const { told } = sayIn('de');
  const found = readdirSync(MODULES, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(?!alerts|dashboard).*(?<!\.spec)\.ts$/.test(file))
    .map((file) => readFileSync(join(MODULES, file), 'utf8'))
    .filter((source) => RAISES.test(source))
    .flatMap(textsIn);
  expect(found.length).toBeGreaterThan(30);
  expect([...new Set(found)].filter((text) => told(text) === text)).toEqual([]);
});
