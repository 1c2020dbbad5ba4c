import { german } from './german/german.js';
import { bareTexts, saidTexts, templates } from './templates.js';

const all = templates();

it.each([
  ['<p>Bare words</p>', ['Bare words']],
  ['<p>{{count}} payments</p>', ['payments']],
  ['<nav aria-label="Tabs"></nav>', ['Tabs']],
  ["{{> dashboard/copy text=id what='the id'}}", ['what=the id']],
  ['<td data-label="since {{x}}">{{#if a}}one{{else}}{{b}}{{/if}}</td>', ['since', 'one']],
  ["<p title=\"{{say 'Hello'}}\">{{say 'Words'}} · Rappen {{{body}}}</p>", []],
  ["{{> dashboard/copy text=id what=(say 'the id')}}{{#if a}}&nbsp;{{/if}}", []],
  ['{{! a remark }}<p class="small">{{pathTo \'home\'}}</p>', []],
])('finds words that nobody translates in %s', (source, found) => {
  expect(bareTexts(source)).toEqual(found);
});

it('every template says its words in the reader’s language', () => {
  expect(all.size).toBeGreaterThan(70);
  const bare = [...all].filter(([, source]) => bareTexts(source).length > 0);
  expect(bare.map(([name, source]) => [name, bareTexts(source)])).toEqual([]);
});

it('finds a text inside of blocks, partials and other calls', () => {
  const source = "{{#if a}}{{> p what=(say 'one')}}{{else}}{{x (say 'two' n=(say 'three'))}}{{/if}}";
  expect(saidTexts(source).map(({ text }) => text)).toEqual(['one', 'two', 'three']);
});

it('every text of a template is translated, and is given what it names', () => {
  const wrong = [...all].flatMap(([name, source]) =>
    saidTexts(source)
      .filter(({ text, values }) => !Object.hasOwn(german, text) || !isGiven(text, values))
      .map(({ text, values }) => ({ name, text, values })),
  );
  expect(wrong).toEqual([]);
});

function isGiven(text: string, values: readonly string[]): boolean {
  const named = [...text.matchAll(/\{(\w+)[,}]/g), ...text.matchAll(/<(?!code|strong|em)(\w+)>/g)];
  return [...new Set(named.map(([, name]) => name!))].sort().join() === [...values].sort().join();
}

/** A helper hides a value of the model that is called the same. */
const HELPERS = new Set(['say', 'time', 'bdi', 'exactly', 'joined', 'pathTo', 'shortened']);

it('no value of a model is called like a helper', () => {
  const hidden = [...all].flatMap(([name, source]) =>
    [...source.matchAll(/\{\{(\w+)\}\}/g)]
      .filter(([, value]) => HELPERS.has(value!))
      .map(([, value]) => `${name}: ${value}`),
  );
  expect(hidden).toEqual([]);
});
