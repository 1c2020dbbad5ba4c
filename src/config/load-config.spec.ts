import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from './environment.js';
import { loadConfig, sandboxPlaces } from './load-config.js';

const GOOD = {
  NODE_ENV: 'production',
  BASE_URL: 'https://api.example.com',
  CHECKOUT_URL: 'https://pay.example.com',
  DATABASE_URL: 'postgres://localhost/rappen',
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  ETHEREUM_RPC_URL: 'https://node.example.com/key',
};

function problemsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
}

describe('loadConfig in production', () => {
  it('takes a complete environment, and is frozen', () => {
    const config = loadConfig(GOOD);
    expect(config).toMatchObject({
      mode: 'production',
      baseUrl: GOOD.BASE_URL,
      trustProxy: false,
      checkoutPort: null,
    });
    expect(config.networks.map(({ id, chainId }) => [id, chainId])).toEqual([['ethereum', 1]]);
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('reads the key that is being replaced, and that it is another', () => {
    const key = Buffer.alloc(32, 8);
    expect(loadConfig(GOOD).previousSecretKey).toBeNull();
    expect(loadConfig({ ...GOOD, SECRET_KEY_PREVIOUS: key.toString('hex') }).previousSecretKey).toEqual(key);
    expect(problemsOf({ ...GOOD, SECRET_KEY_PREVIOUS: GOOD.SECRET_KEY })).toEqual([
      'SECRET_KEY_PREVIOUS must be another key than SECRET_KEY',
    ]);
    expect(problemsOf({ ...GOOD, SECRET_KEY_PREVIOUS: 'short' })[0]).toContain(
      'SECRET_KEY_PREVIOUS must be 32 bytes',
    );
  });

  it('reads who is told of alerts, and by which way', () => {
    const secret = `whsec_${'A'.repeat(32)}`;
    const env = {
      SMTP_URL: 'smtps://user:p%40ss@mail.example.com',
      MAIL_FROM: 'Rappen <pay@example.com>',
      OPERATOR_EMAIL: 'a@example.com, b@example.com',
      OPERATOR_WEBHOOK_URL: 'http://alerts.internal:9093/hook',
      OPERATOR_WEBHOOK_SECRET: secret,
    };
    expect(loadConfig({ ...GOOD, ...env })).toMatchObject({
      mail: { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM },
      operator: {
        emails: ['a@example.com', 'b@example.com'],
        webhook: { url: env.OPERATOR_WEBHOOK_URL, secret },
      },
    });
    expect(loadConfig(GOOD)).toMatchObject({ mail: null, operator: { emails: [], webhook: null } });
  });

  it.each([
    [{ SMTP_URL: 'smtp://mail.example.com' }, 'MAIL_FROM must be an address'],
    [{ SMTP_URL: 'https://mail.example.com', MAIL_FROM: 'a@example.com' }, 'SMTP_URL must be a URL'],
    [
      { SMTP_URL: 'smtp://h', MAIL_FROM: 'a@example.com\nBcc: b@example.com' },
      'MAIL_FROM must be an address',
    ],
    [{ OPERATOR_EMAIL: 'nobody' }, 'OPERATOR_EMAIL must be addresses'],
    [{ OPERATOR_WEBHOOK_URL: 'ftp://x' }, 'OPERATOR_WEBHOOK_URL must be'],
    [{ OPERATOR_WEBHOOK_SECRET: 'secret' }, 'OPERATOR_WEBHOOK_SECRET must be'],
  ])('refuses %j', (env, problem) => {
    expect(problemsOf({ ...GOOD, ...env })).toEqual([expect.stringContaining(problem)]);
  });

  it('takes a second node of a network', () => {
    const config = loadConfig({ ...GOOD, ETHEREUM_RPC_URL_2: 'https://other.example.com/' });
    expect(config.networks).toMatchObject([{ id: 'ethereum', secondRpcUrl: 'https://other.example.com/' }]);
  });

  it('names every problem at once', () => {
    expect(problemsOf({ NODE_ENV: 'production', PORT: 'x' })).toEqual([
      'BASE_URL is required',
      'CHECKOUT_URL is required',
      'PORT must be a whole number from 1 to 65535',
      'DATABASE_URL is required',
      'SECRET_KEY is required',
      'no network is configured: set ETHEREUM_RPC_URL, another preset, or NETWORKS_FILE',
    ]);
  });

  it.each([
    ['http', { BASE_URL: 'http://api.example.com' }, 'BASE_URL must be https in production'],
    ['a path', { CHECKOUT_URL: 'https://pay.example.com/x' }, 'CHECKOUT_URL must be an origin'],
    ['one address for both', { CHECKOUT_URL: GOOD.BASE_URL }, 'BASE_URL and CHECKOUT_URL must differ'],
    ['a node that is not asked over http', { ETHEREUM_RPC_URL: 'ws://node/' }, 'must be an http(s) URL'],
    [
      'a second node that is the first',
      { ETHEREUM_RPC_URL_2: GOOD.ETHEREUM_RPC_URL },
      'must be another node',
    ],
    ['a second node without a first', { BASE_RPC_URL_2: 'https://node.example.com/' }, 'checks a first node'],
    ['two networks with one node', { BASE_RPC_URL: GOOD.ETHEREUM_RPC_URL }, 'base have the same node'],
    [
      'a metrics token that can be guessed',
      { METRICS_TOKEN: 'prometheus' },
      'METRICS_TOKEN must be at least 16',
    ],
    [
      'a metrics token no header holds',
      { METRICS_TOKEN: 'ein Schlüssel mit Umlaut' },
      'METRICS_TOKEN must be',
    ],
    ['a proxy that is no number and no address', { TRUST_PROXY: 'true' }, 'TRUST_PROXY must be the number'],
    ['more proxies than there are', { TRUST_PROXY: '99' }, 'TRUST_PROXY must be the number of proxies'],
    ['proxies of which one is no address', { TRUST_PROXY: '10.0.0.1, proxy' }, 'TRUST_PROXY must be'],
    [
      'a contact that is no URI',
      { SECURITY_CONTACT: 'security@example.com' },
      'SECURITY_CONTACT must be mailto:',
    ],
    [
      'a contact that is no address',
      { SECURITY_CONTACT: 'mailto:<security@example.com>' },
      'SECURITY_CONTACT must be mailto:',
    ],
    ['a short key', { SECRET_KEY: 'c2hvcnQ=' }, 'SECRET_KEY must be 32 bytes'],
  ])('refuses %s', (_name, env, message) => {
    expect(problemsOf({ ...GOOD, ...env }).join()).toContain(message);
  });

  it.each([
    'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
    '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
    'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
  ])('refuses a private key without repeating it', (secret) => {
    const problems = problemsOf({ ...GOOD, MERCHANT_WALLET: secret }).join();
    expect(problems).toContain('MERCHANT_WALLET holds something private');
    expect(problems).not.toContain(secret);
  });

  it.each(['xprv', 'zprv', 'tprv', 'Ltpv'])('refuses an %s key in any variable', (prefix) => {
    const secret = `${prefix}${'9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3'}`;
    const problems = problemsOf({ ...GOOD, SOME_NOTE: `descriptor: wpkh(${secret}/0/*)` }).join();
    expect(problems).toContain('SOME_NOTE holds something private');
    expect(problems).not.toContain(secret);
  });

  it('takes 32 bytes in hex where no name speaks of keys to money', () => {
    expect(problemsOf({ ...GOOD, SECRET_KEY: '07'.repeat(32), METRICS_TOKEN: '5a'.repeat(32) })).toEqual([]);
  });

  it('refuses a private key in NETWORKS_FILE without repeating it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rappen-config-'));
    const file = join(folder, 'networks.json');
    const secret = 'zprvAWgYBBk7JR8GjrbTLMDc7LqhZLiQgjcLxLZK2eaSxTWqQvFzyNAW1vLtZ3u';
    writeFileSync(file, `[{ "note": ${secret} }]`); // not even JSON: the parser's message would quote it
    const problems = problemsOf({ ...GOOD, NETWORKS_FILE: file }).join();
    rmSync(folder, { recursive: true });
    expect(problems).toContain('NETWORKS_FILE holds something private');
    expect(problems).not.toContain('zprv');
  });

  it('refuses every two networks that are one chain', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rappen-config-'));
    const file = join(folder, 'networks.json');
    const network = (id: string, chainId: number) => ({
      id,
      name: id,
      chainId,
      rpcUrl: `https://${id}.example.com`,
      assets: [{ symbol: 'ETH', decimals: 18 }],
      blockIntervalS: 2,
      safeAfterS: 1,
      finalizedAfterS: 1,
    });
    writeFileSync(file, JSON.stringify([network('mainnet', 1), network('one', 10), network('two', 10)]));
    const problems = problemsOf({ ...GOOD, NETWORKS_FILE: file });
    rmSync(folder, { recursive: true });
    expect(problems).toEqual([
      expect.stringContaining('ethereum and mainnet have the same chain id 1'),
      expect.stringContaining('one and two have the same chain id 10'),
    ]);
  });

  it('asks CoinGecko only with a key', () => {
    const { sources } = loadConfig({ ...GOOD, RATES_COINGECKO_KEY: 'CG-0123456789' }).rates;
    expect(sources).toEqual(['kraken', 'coinbase', 'bitstamp', 'bitpay', 'coingecko']);
  });

  it('reads prices from all sources by default, and from those that are named', () => {
    expect(loadConfig(GOOD).rates).toMatchObject({
      sources: ['kraken', 'coinbase', 'bitstamp', 'bitpay'],
      origins: { kraken: 'https://api.kraken.com' },
      maxAgeS: 300,
      maxDeviationBps: 200,
    });
    const named = { RATES_SOURCES: 'bitstamp, kraken', RATES_KRAKEN_URL: 'http://127.0.0.1:4000' };
    expect(loadConfig({ ...GOOD, ...named }).rates).toMatchObject({
      sources: ['kraken', 'bitstamp'],
      origins: { kraken: 'http://127.0.0.1:4000' },
    });
  });

  it.each([
    ['CoinGecko without a key', { RATES_SOURCES: 'kraken,coingecko' }, 'needs RATES_COINGECKO_KEY'],
    ['one source', { RATES_SOURCES: 'kraken' }, 'RATES_SOURCES must name at least two'],
    ['one source twice', { RATES_SOURCES: 'kraken,kraken' }, 'RATES_SOURCES must name at least two'],
    [
      'an unknown source',
      { RATES_SOURCES: 'kraken,coinbase,myself' },
      'RATES_SOURCES must name at least two',
    ],
    ['prices over http', { RATES_KRAKEN_URL: 'http://kraken.example.com' }, 'RATES_KRAKEN_URL must be https'],
    ['prices older than 5 minutes', { RATES_MAX_AGE_SECONDS: '301' }, 'RATES_MAX_AGE_SECONDS must be'],
  ])('refuses %s', (_name, env, message) => {
    expect(problemsOf({ ...GOOD, ...env }).join()).toContain(message);
  });

  it('reads TRUST_PROXY as hops or as addresses', () => {
    expect(loadConfig({ ...GOOD, TRUST_PROXY: '2' }).trustProxy).toBe(2);
    expect(loadConfig({ ...GOOD, TRUST_PROXY: '10.0.0.0/8' }).trustProxy).toBe('10.0.0.0/8');
  });
});

it('keeps two sandboxes apart by PORT, CHECKOUT_PORT and DATA_DIR', () => {
  expect(sandboxPlaces({ PORT: '3100', CHECKOUT_PORT: '3101', DATA_DIR: '/tmp/two' })).toEqual({
    dataDir: '/tmp/two',
    port: 3100,
    checkoutPort: 3101,
    host: '127.0.0.1',
  });
  expect(() => sandboxPlaces({ PORT: '3001' })).toThrow('PORT and CHECKOUT_PORT must differ');
});

describe('a sandbox', () => {
  const local = { databaseUrl: 'postgres://localhost/x', secretKey: Buffer.alloc(32), networks: [] };

  it('takes addresses under which other devices reach it', () => {
    const urls = { BASE_URL: 'http://192.0.2.7:3000', CHECKOUT_URL: 'http://192.0.2.7:3001' };
    expect(loadConfig(urls, local)).toMatchObject({
      host: '0.0.0.0',
      baseUrl: urls.BASE_URL,
      checkoutUrl: urls.CHECKOUT_URL,
    });
    expect(loadConfig({}, local)).toMatchObject({ host: '127.0.0.1', baseUrl: 'http://localhost:3000' });
  });

  it.each<[string, Record<string, string>, string]>([
    ['nothing is set', {}, '127.0.0.1'],
    ['HOST says so', { HOST: '192.0.2.9', BASE_URL: 'http://192.0.2.7:3000' }, '192.0.2.9'],
    ['HOST keeps others out', { HOST: '127.0.0.1', BASE_URL: 'http://192.0.2.7:3000' }, '127.0.0.1'],
    ['other devices reach the checkout alone', { CHECKOUT_URL: 'http://laptop.local:3001' }, '0.0.0.0'],
    ['its ports are others', { PORT: '80', BASE_URL: 'http://laptop.local' }, '0.0.0.0'],
    ['its address is of IPv6', { BASE_URL: 'http://[2001:db8::7]:3000' }, '::'],
    ['a tunnel leads to it', { BASE_URL: 'https://x.tunnel.example' }, '127.0.0.1'],
    ['a proxy of this machine has another port', { BASE_URL: 'http://192.0.2.7:8080' }, '127.0.0.1'],
    ['its addresses are this machine’s', { BASE_URL: 'http://127.0.0.2:3000' }, '127.0.0.1'],
    ['so is a name', { CHECKOUT_URL: 'http://pay.localhost:3001' }, '127.0.0.1'],
  ])('listens where %s: %j at %s', (_, env, host) => {
    expect([loadConfig(env, local).host, sandboxPlaces(env).host]).toEqual([host, host]);
  });

  it('that runs keeps its addresses, whatever the environment of a command says', () => {
    const running = { baseUrl: 'http://localhost:4310', checkoutUrl: 'http://localhost:4311' };
    expect(
      loadConfig({ BASE_URL: 'http://192.0.2.7:3000', PORT: '3100' }, { ...local, ...running }),
    ).toMatchObject(running);
  });
});
