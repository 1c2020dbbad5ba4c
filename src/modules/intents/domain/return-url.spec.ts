import { returnTarget, returnUrlFlaw } from './return-url.js';

describe('returnUrlFlaw', () => {
  it.each([
    'https://shop.example',
    'https://shop.example/a?b=c#d',
    'HTTPS://shop.example/',
    'https://[::1]/',
    'https://xn--kse-qla.example/%C3%BC',
    'https://shop.example/%zz?a=%&b={c}|^`"<>',
    'https://shop.example/status?order_status=1&Status=2#status=3',
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
    'https://käse.example',
    'https://shop.example/ü',
    'https://shop.example/?q=🧀',
    'https://shop.example/\x7f',
    'xhttps://shop.example/',
    'https://shop.example/?status=mine',
    'https://shop.example/?a=b&service_intent=',
    'https://shop.example/?st%61tus=mine',
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

it.each([
  [`https://shop.example/${'a'.repeat(500)}`, 'must have at most 500 characters'],
  ['https://käse.example', 'must be ASCII: write other characters percent-encoded, and the host in punycode'],
  ['ftp://shop.example', 'must be an absolute https URL'],
  ['https://user@shop.example', 'must not contain user info'],
  [
    'https://shop.example/?status=mine',
    'must not have the parameters service_intent or status, which are appended to it',
  ],
])('says what is wrong with %s', (url, flaw) => expect(returnUrlFlaw(url)).toBe(flaw));

it('keeps a fragment that has a hash in it', () => {
  expect(returnTarget('https://s.example/#a#b', 'pi_1', 'expired')).toBe(
    'https://s.example/?service_intent=pi_1&status=expired#a#b',
  );
});
