import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { german, ROOMS } from './german/german.js';
import { services } from './german/services/services.js';
import { saidTexts, templates } from './templates.js';

const SOURCES = join(import.meta.dirname, '..', '..', '..');
const texts = Object.entries(german);

/** What German writes as English does: names, and words that both have. */
const SAME = [
  /^(?:Dashboard|Filter|Gas|Status|Token|Webhooks|Wallets?|Name|Body)$/,
  /^\{asset\} in \{currency\}$/,
  /^sequence \{number\}$/,
  /^(?:Block|Browser|Passkeys|Index|Person|Logo|URL)$/,
  /^\{label\}: \{value\}$/,
];

/** Arguments, tags, and whatever else is no word. */
function namesIn(message: string): string[] {
  const names = new Set<string>();
  const walk = (elements: readonly object[]) => {
    for (const element of elements as readonly Element[]) {
      // 0 is literal text, 7 the number of a plural.
      if (element.type !== 0 && element.type !== 7) names.add(`${element.type} ${element.value}`);
      for (const { value } of Object.values(element.options ?? {})) walk(value);
      if (element.children) walk(element.children);
    }
  };
  walk(new IntlMessageFormat(message.split('|', 1)[0]!, 'en').getAst());
  return [...names].sort();
}

interface Element {
  readonly type: number;
  readonly value: string;
  readonly options?: Readonly<Record<string, { readonly value: readonly object[] }>>;
  readonly children?: readonly object[];
}

it('names in each text what the English one names', () => {
  const differing = texts.filter(([english, said]) => {
    const [wanted, found] = [namesIn(english), namesIn(said)];
    // What a service said need not be said again whole.
    if (Object.hasOwn(services, english)) return !found.every((name) => wanted.includes(name));
    return wanted.join() !== found.join();
  });
  expect(differing).toEqual([]);
});

it('has left nothing in English, and nothing empty', () => {
  const left = texts.filter(
    ([english, said]) => said.trim() === '' || (said === english && !SAME.some((same) => same.test(english))),
  );
  expect(left).toEqual([]);
});

it('ends as the English does: with a point, a question mark, a colon, or nothing', () => {
  const end = (text: string) => /[.?:]\}*$/.exec(text.split('|', 1)[0]!)?.[0][0] ?? '';
  expect(texts.filter(([english, said]) => end(english) !== end(said))).toEqual([]);
});

it('is written as on paper, and as in Switzerland', () => {
  const wrong = texts.filter(
    ([english, said]) => /[!'"ß]| {2}|^ | $|\b(?:Du|Dein|Ihr seid)\b/.test(said) || /['"]/.test(english),
  );
  expect(wrong).toEqual([]);
});

it('has each text in one room', () => {
  const seen = Object.values(ROOMS).flatMap((room) => Object.keys(room));
  expect(seen.filter((text, i) => seen.indexOf(text) !== i)).toEqual([]);
  expect(seen).toHaveLength(texts.length);
});

/** Of source code: what it says stands in it as it is written in the catalogue, or broken into two lines. */
const code = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.spec\.ts$|language.german/.test(file))
  .map((file) => ({
    isOurs: /^modules.dashboard/.test(file),
    source: readFileSync(join(SOURCES, file), 'utf8').replaceAll(/['`] \+\n\s+['`]/g, ''),
  }));
const ours = code.flatMap(({ isOurs, source }) => (isOurs ? [source] : [])).join('\n');
const everything = code.map(({ source }) => source).join('\n');

it('has no text that nobody says', () => {
  const inTemplates = new Set([...templates().values()].flatMap(saidTexts).map(({ text }) => text));
  const own = texts.map(([english]) => english).filter((english) => !Object.hasOwn(services, english));
  const isSaid = (text: string) => inTemplates.has(text) || ours.includes(`'${text}'`);
  const quoted = (text: string) => new RegExp(`\\b${text}:`).test(ours);
  expect(own.filter((text) => !isSaid(text) && !(/^\w+$/.test(text) && quoted(text)))).toEqual([]);
});

it('has no sentence of a service that none says any more', () => {
  const isSaid = (text: string) =>
    everything.includes(text.replace('{most} on {network}', '{most}')) ||
    text.split(/\{\w+\}/).every((part) => part.trim().length < 3 || everything.includes(part.trim()));
  expect(Object.keys(services).filter((text) => !isSaid(text))).toEqual([]);
});
