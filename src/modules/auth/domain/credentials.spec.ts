import { credentialsOf } from './credentials.js';

const key = (text: string) => ({ kind: 'key', key: text });

it.each([
  ['Bearer svc_1', undefined, key('svc_1')],
  ['bearer   svc_1  ', undefined, key('svc_1')],
  [undefined, ' svc_1 ', key('svc_1')],
  ['Bearer svc_1', ' svc_1', key('svc_1')],
  [undefined, undefined, { kind: 'none' }],
  ['Bearer svc_1', 'svc_2', { kind: 'conflicting' }],
  // Said, but no key: refused as a wrong one is, and not taken for somebody who said nothing.
  ['Basic svc_1', undefined, key('')],
  ['My Bearer svc_1', undefined, key('')],
  ['Bearer svc_1 svc_2', undefined, key('')],
  ['Bearersvc_1', undefined, key('')],
  ['', undefined, key('')],
  ['Basic svc_1', 'svc_1', { kind: 'conflicting' }],
])('Authorization %j and X-Api-Key %j', (authorization, apiKey, expected) => {
  expect(credentialsOf(authorization, apiKey)).toEqual(expected);
});
