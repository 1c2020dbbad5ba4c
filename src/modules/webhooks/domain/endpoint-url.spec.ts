import { isAddressLiteral, judgeEndpointUrl } from './endpoint-url.js';

const PRODUCTION = { sandbox: false };
const SANDBOX = { sandbox: true };
const reason = (url: string, policy = PRODUCTION) => {
  const verdict = judgeEndpointUrl(url, policy);
  return verdict.ok ? null : verdict.reason;
};

/** Every spelling that WHATWG's parser turns into 127.0.0.1. */
const LOOPBACK_SPELLINGS = [
  'https://127.0.0.1/', 'https://127.1/', 'https://127.0.1', 'https://0x7f.1/', 'https://0x7f000001/',
  'https://2130706433/', 'https://017700000001/', 'https://0177.0.0.1/', 'https://①②⑦.⓪.⓪.①/',
  'https://127。0。0。1/', 'https://１２７.0.0.1/', 'https://127.0.0.1./', 'https:\\\\127.0.0.1\\',
  'https:127.0.0.1', 'https:/127.0.0.1', 'https:////127.0.0.1', 'https://%31%32%37.0.0.1/',
  ' https://127.0.0.1', 'ht\ntps://127.0.\t0.1/', 'https://[::1]/', 'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:127.0.0.1]/', 'https://[::127.0.0.1]/', 'https://[::ffff:7f00:1]/',
]; // prettier-ignore
const PRIVATE = [
  'https://10.0.0.1/', 'https://192.168.1.1/', 'https://169.254.169.254/latest/meta-data/', 'https://0/',
  'https://0.0.0.0/', 'https://0xa9fea9fe/', 'https://2852039166/', 'https://100.100.100.200/',
  'https://[fd00:ec2::254]/', 'https://[64:ff9b::a9fe:a9fe]/', 'https://[2002:7f00:1::]/', 'https://[fe80::1]/',
  'https://[::]/', 'https://[fec0::1]/', 'https://[2001::1]/',
]; // prettier-ignore

describe('judgeEndpointUrl', () => {
  it.each([
    'https://shop.example/hook',
    'https://shop.example:8443/hook?a=1',
    'https://8.8.8.8/',
    'https://[2606:4700::1]/',
    'https://käse.example/',
    'https://sub.localhost.example/',
    'https://internal.example/',
    'https://shop.v1/',
  ])('takes %s', (url) => expect(reason(url)).toBeNull());

  it('answers with the normalised URL', () => {
    const verdict = judgeEndpointUrl(' HTTPS://Käse.Example:443/a/../b ', PRODUCTION);
    expect(verdict.ok && verdict.url.href).toBe('https://xn--kse-qla.example/b');
  });

  it.each([...LOOPBACK_SPELLINGS, ...PRIVATE])('refuses the address %j', (url) => {
    expect(reason(url)).toBe('must have a public address');
  });

  it('sees through a user part that looks like a host', () => {
    expect(reason('https://1.1.1.1 &@127.0.0.1/')).toMatch(/user name/);
    expect(reason('https://shop.example@127.0.0.1/')).toMatch(/user name/);
    expect(reason('https://:pw@shop.example/')).toMatch(/password/);
  });

  it.each([
    ['http://shop.example/', /https/],
    ['ftp://shop.example/', /https/],
    ['file:///etc/passwd', /https/],
    ['javascript:alert(1)', /https/],
    ['//shop.example/', /absolute/],
    ['shop.example', /absolute/],
    ['', /absolute/],
    ['https://', /absolute/],
    ['https://[::1', /absolute/],
    ['https://256.256.256.256/', /absolute/],
    ['https://a b/', /absolute/],
    ['https://shop.example:99999/', /absolute/],
    ['https://shop.example/#part', /fragment/],
    ['https://shop.example/#', /fragment/],
    ['https://shop.example:0/', /port 0/],
    ['https://shop.example./', /dot/],
    ['https://localhost./', /dot/],
    ['https://localhost/', /localhost/],
    ['https://LOCALHOST:8443/', /localhost/],
    ['https://a.localhost/', /localhost/],
    ['https://ⓛocalhost/', /localhost/],
    ['https://metadata.google.internal/', /internal/],
    [`https://shop.example/${'a'.repeat(2_028)}`, /longer/],
    [`https://shop.example/${'ä'.repeat(1_000)}`, /longer/],
    [`https://shop.example/${'a/../'.repeat(500)}`, /longer/],
  ])('refuses %j', (url, why) => expect(reason(url)).toMatch(why));

  it('takes exactly 2048 characters', () => {
    const url = `https://shop.example/${'a'.repeat(2_027)}`;
    expect(url).toHaveLength(2_048);
    expect(reason(url)).toBeNull();
  });

  it('opens http, localhost and loopback in the sandbox, and nothing else', () => {
    for (const url of [
      'http://127.0.0.1:8080/',
      'http://localhost:3000/',
      'https://[::1]/',
      'http://shop.example/',
    ])
      expect(reason(url, SANDBOX)).toBeNull();
    for (const url of [
      ...PRIVATE,
      'http://[::ffff:127.0.0.1]/',
      'http://metadata.google.internal/',
      'http://a:b@127.0.0.1/',
      'ftp://127.0.0.1/',
    ])
      expect(reason(url, SANDBOX)).not.toBeNull();
  });

  it('knows an address from a name', () => {
    expect(
      ['https://127.1/', 'https://[::1]/', 'https://0x7f.1'].map((u) => isAddressLiteral(new URL(u))),
    ).toEqual([true, true, true]);
    expect(isAddressLiteral(new URL('https://1.2.3.4.example/'))).toBe(false);
  });
});
