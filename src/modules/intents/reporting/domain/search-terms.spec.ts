import { searchTerms } from './search-terms.js';

it.each([
  ['1031', ['1031'], ['1031']],
  ['order-1031', ['order-1031'], ['1031']],
  ['Order 1031: Fondue', ['Order', '1031:', 'Fondue'], ['1031']],
  [' Fondue  caquelon ', ['Fondue', 'caquelon'], ['Fondue', 'caquelon']],
  ['order-a1', ['order-a1'], ['order-a1']],
  ['Käse 5', ['Käse', '5'], ['Käse']],
  ['r 12', ['r', '12'], []],
  ['%_\\', ['%_\\'], []],
])('of "%s" the terms are %j, and the index is asked for %j', (search, all, indexed) => {
  expect(searchTerms(search)).toEqual({ all, indexed });
});
