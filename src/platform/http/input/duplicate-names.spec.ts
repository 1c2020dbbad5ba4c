import { processorMs } from '../../../../test/support/run/own-time.js';
import { duplicateNames } from './duplicate-names.js';

it.each<[string, string[]]>([
  ['{"amount":1,"currency":"CHF"}', []],
  ['{"amount":1,"amount":2}', ['/amount']],
  ['{"amount":1,"amount":1,"amount":1}', ['/amount']],
  ['{"amount":1,"\\u0061mount":2}', ['/amount']],
  ['{"a":{"b":1,"b":2},"b":3}', ['/a/b']],
  ['{"a":[{"b":1},{"b":2}]}', []],
  ['{"a":[[{"b":1,"b":2}]]}', ['/a/-/-/b']],
  ['{"a":"\\"a\\":1","b":"{\\"a\\":"}', []],
  ['{"a\\"":1,"a\\\\":2,"a":3}', []],
  ['{ "a" : "b" , "a"\n:\t"c" }', ['/a']],
  ['{"a/b":1,"a/b":2,"":3,"":4}', ['/a~1b', '/']],
  ['{"__proto__":1,"__proto__":2}', ['/__proto__']],
  ['{"a":"a","b":["a","a"]}', []],
])('finds in %s the names that stand twice: %j', (json, pointers) => {
  expect(duplicateNames(json)).toEqual(pointers);
});

it('takes no time for a body that is made to take some', () => {
  const startedAtMs = processorMs();
  expect(duplicateNames(`{${'"a":"\\\\",'.repeat(7_000)}"b":1}`)).toEqual(['/a']);
  expect(processorMs() - startedAtMs).toBeLessThan(1_000);
});
