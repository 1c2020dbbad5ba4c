import { list } from './output.js';

it('reads a list with or without blanks, and each name once', () => {
  expect(['a,b', 'a, b', ' a ,b,a', 'a'].map(list)).toEqual([['a', 'b'], ['a', 'b'], ['a', 'b'], ['a']]);
});

it('leaves an empty name in it, so that whoever knows the names refuses it', () => {
  expect(['', 'a,', 'a,,b'].map(list)).toEqual([[''], ['a', ''], ['a', '', 'b']]);
});
