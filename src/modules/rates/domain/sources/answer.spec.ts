import { longestLookedThrough } from '../../../../../test/support/run/looked-through.js';
import { excerpt, requireObject, SourceError } from './answer.js';

it('a stranger’s text is one short printable line', () => {
  expect(excerpt('Käse\n\u202e')).toBe('K?se??');
  expect(excerpt('x'.repeat(200))).toHaveLength(80);
  expect([excerpt({ secret: 1 }), excerpt(undefined)]).toEqual(['no reason', 'no reason']);
});

it('of a text of megabytes no more is looked through than is said', () => {
  expect(longestLookedThrough(() => excerpt('é'.repeat(4_000_000)))).toBe(80);
});

it.each([null, undefined, [], 'text', 1])('%j is no object', (value) => {
  expect(() => requireObject(value, 'the answer')).toThrow(new SourceError('the answer is not an object'));
});
