import { languageWished } from './language-wish.js';

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['pt-BR,pt;q=0.9', 'en'],
  ['de', 'de'],
  ['DE-at', 'de'],
  ['rm-sursilv, de;q=0.8', 'rm'],
  ['pt, it;q=0.5, fr;q=0.7', 'fr'],
  // Chrome with de-CH, English and German: what stands first counts, though the plain language has less weight.
  ['de-CH,en-US;q=0.9,en;q=0.8,de;q=0.7', 'de'],
  ['fr;q=0, it', 'it'],
  ['fr;q=0', 'en'],
  ['fr ; q=0.3 , it ; q=0.4', 'it'],
  ['it,fr', 'it'],
  ['fr;q=nonsense, it;q=0.1', 'it'],
  ['__proto__, constructor', 'en'],
  [',;,;q=,', 'en'],
])('a browser that asks for "%s" gets %s', (header, language) => {
  expect(languageWished(header)).toBe(language);
});
