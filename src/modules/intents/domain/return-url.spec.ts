import { returnTarget, returnUrlFlaw } from './return-url.js';

describe('returnUrlFlaw', () => {
  it.each([
    'https://shop.example',
    'https://shop.example/a?b=c#d',
    'HTTPS://shop.example/',
    'https://[::1]/',
  ])('accepts %s', (url) => expect(returnUrlFlaw(url)).toBeNull());

  it.each([
    'http://shop.example',
    '//shop.example',
    '/thanks',
    'https:shop.example',
    'https:///shop.example',
    'https:\\\\shop.example',
    'https://shop.example\\@evil.example',
    'javascript:alert(1)',
    'https://',
    'https://user@shop.example',
    'https://user:pass@shop.example',
    ' https://shop.example',
    'https://shop.example/a b',
    'https://sh\top.example',
    '',
  ])('refuses %p', (url) => expect(returnUrlFlaw(url)).not.toBeNull());

  it('takes 500 characters and refuses 501', () => {
    const url = (length: number) => 'https://shop.example/'.padEnd(length, 'a');
    expect(returnUrlFlaw(url(500))).toBeNull();
    expect(returnUrlFlaw(url(501))).not.toBeNull();
  });
});

it.each([
  ['https://s.example', 'https://s.example?service_intent=pi_1&status=settled'],
  ['https://s.example/a?b=c', 'https://s.example/a?b=c&service_intent=pi_1&status=settled'],
  ['https://s.example/a?', 'https://s.example/a?service_intent=pi_1&status=settled'],
  ['https://s.example/a?b&', 'https://s.example/a?b&service_intent=pi_1&status=settled'],
  ['https://s.example/a#top', 'https://s.example/a?service_intent=pi_1&status=settled#top'],
])('returns to %s by %s', (url, target) => {
  expect(returnTarget(url, 'pi_1', 'settled')).toBe(target);
});
