import { tellingWords } from './telling-words.js';

it.each([
  ['1031', ['1031']],
  ['order-1031', ['1031']],
  ['Order 1031: Fondue', ['1031']],
  ['Fondue caquelon', ['Fondue', 'caquelon']],
  ['Käse 5', ['Käse']],
  ['r 12', []],
  ['%_\\', []],
])('of "%s" the index is asked for %j', (search, words) => {
  expect(tellingWords(search)).toEqual(words);
});
