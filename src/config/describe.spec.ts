import type { Config } from './config.types.js';
import { describeConfig } from './describe.js';
import { loadConfig } from './load-config.js';

/** Every variable that holds a secret, or has one somewhere in it; each secret is known by its first letters. */
const ENV = {
  NODE_ENV: 'production',
  BASE_URL: 'https://api.example.com',
  CHECKOUT_URL: 'https://pay.example.com',
  DATABASE_URL: 'postgres://rappen:zzq-database@db.internal:5432/rappen?password=zzq-again',
  SECRET_KEY: Buffer.from('zzq-key-zzq-key-zzq-key-zzq-key-').toString('hex'),
  SECRET_KEY_PREVIOUS: Buffer.from('zzq-old-zzq-old-zzq-old-zzq-old-').toString('hex'),
  ETHEREUM_RPC_URL: 'https://node.example.com/v3/zzq-provider',
  ETHEREUM_RPC_URL_2: 'https://zzq-user:zzq-pass@other.example.com/?key=zzq-query',
  BITCOIN_RPC_URL: 'http://zzq-rpc:zzq-rpcpass@10.0.0.7:8332',
  SMTP_URL: 'smtps://zzq-mail:zzq-mailpass@mail.example.com',
  MAIL_FROM: 'Rappen <pay@example.com>',
  OPERATOR_EMAIL: 'zzq-person@example.com',
  OPERATOR_WEBHOOK_URL: 'https://hooks.example.com/services/zzq-hook',
  OPERATOR_WEBHOOK_SECRET: `whsec_${Buffer.from('zzq-webhook-zzq-webhook-').toString('base64')}`,
  RATES_COINGECKO_KEY: 'zzq-coingecko',
  METRICS_TOKEN: 'zzq-metrics-token-0123',
};

const written = (config: Config) => JSON.stringify(describeConfig(config));

it('says where everything leads and nothing that opens it', () => {
  const config = loadConfig(ENV);
  const text = written(config);
  for (const place of ['db.internal:5432', 'node.example.com', 'other.example.com', '10.0.0.7:8332'])
    expect(text).toContain(`"${place}"`);
  for (const secret of [
    'zzq',
    ENV.SECRET_KEY,
    ENV.SECRET_KEY_PREVIOUS,
    ENV.OPERATOR_WEBHOOK_SECRET,
    'Buffer',
  ])
    expect(text).not.toContain(secret);
});

it('tells of each setting, so that none is forgotten', () => {
  const config = loadConfig(ENV);
  expect(Object.keys(describeConfig(config)).sort()).toEqual(Object.keys(config).sort());
});

it('tells a secret that is set from one that is not', () => {
  const { METRICS_TOKEN: _token, ...less } = ENV;
  expect(written(loadConfig(ENV))).toContain('"metrics":{"port":null,"token":"set"}');
  expect(written(loadConfig(less))).toContain('"metrics":{"port":null,"token":"not set"}');
});
