import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { hasExtendedPrivateKey, looksPrivate } from '../kernel/private-key.js';
import { parseUrl } from '../kernel/text/parse-url.js';
import type { Config, NetworkConfig } from './config.types.js';
import { holdsPrivateKey, networks } from './configured-networks.js';
import { mail, operator, securityContact } from './contacts.js';
import { ConfigError, type Env, EnvReader } from './environment.js';
import { reconciliation, retention } from './periods.js';
import { rates } from './rate-settings.js';

/** Beyond this a metrics token is not found by guessing at the pace that one address is allowed. */
const MIN_TOKEN_CHARS = 16;
/** More proxies than anybody chains; a client could write its own address into the places of those that do not exist. */
const MAX_HOPS = 10;

/** What the sandbox started for itself and the environment therefore does not say. */
export interface LocalServices {
  readonly databaseUrl: string;
  readonly secretKey: Buffer;
  readonly networks: readonly NetworkConfig[];
  /** Of one that runs already, whatever the environment of a command says. */
  readonly baseUrl?: string;
  readonly checkoutUrl?: string;
}

export function isProduction(env: Env): boolean {
  return env['NODE_ENV'] === 'production';
}

export interface SandboxPlaces {
  readonly dataDir: string;
  readonly port: number;
  readonly checkoutPort: number;
  readonly host: string;
}

/** Where the sandbox keeps everything, and where it listens. Needed before its services can be started. */
export function sandboxPlaces(env: Env): SandboxPlaces {
  const read = new EnvReader(env);
  const [port, checkoutPort] = [
    read.integer('PORT', 3000, 1, 65535),
    read.integer('CHECKOUT_PORT', 3001, 1, 65535),
  ];
  const places = {
    dataDir: resolve(read.text('DATA_DIR', '.data')),
    port,
    checkoutPort,
    host:
      read.optional('HOST') ??
      hostFor([
        [read.optional('BASE_URL'), port],
        [read.optional('CHECKOUT_URL'), checkoutPort],
      ]),
  };
  if (places.port === places.checkoutPort) read.problems.push('PORT and CHECKOUT_PORT must differ');
  if (read.problems.length > 0) throw new ConfigError(read.problems);
  return places;
}

/**
 * The whole configuration, checked as a whole. Pure but for reading `NETWORKS_FILE`.
 * @param local the sandbox's own services; absent in production
 * @throws ConfigError naming every problem at once
 */
export function loadConfig(env: Env, local?: LocalServices): Config {
  const read = new EnvReader(env);
  refusePrivateKeys(env, read);
  const common = {
    databasePoolSize: read.integer('DATABASE_POOL_SIZE', 16, 2, 200),
    checkoutStreams: read.integer('CHECKOUT_STREAMS', 10_000, 1, 100_000),
    trustProxy: trustProxy(read),
    rateLimits: {
      readsPerMinute: read.integer('RATE_LIMIT_READS_PER_MINUTE', 1000, 1, 1_000_000),
      writesPerMinute: read.integer('RATE_LIMIT_WRITES_PER_MINUTE', 300, 1, 1_000_000),
      failedAuthPerMinute: read.integer('RATE_LIMIT_FAILED_AUTH_PER_MINUTE', 30, 1, 1_000_000),
    },
    rates: rates(read),
    mail: mail(read),
    operator: operator(read),
    retention: retention(read),
    reconciliation: reconciliation(read),
    previousSecretKey: read.optional('SECRET_KEY_PREVIOUS') ? read.key('SECRET_KEY_PREVIOUS') : null,
    securityContact: securityContact(read),
    metrics: {
      port: read.optional('METRICS_PORT') ? read.integer('METRICS_PORT', 9464, 1, 65535) : null,
      token: read.secret('METRICS_TOKEN', MIN_TOKEN_CHARS),
    },
    logLevel: read.oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], local ? 'warn' : 'info'),
  } as const;
  const config: Config = local
    ? { ...common, ...sandbox(env, local, read), mode: 'sandbox' }
    : { ...common, ...production(read), mode: 'production' };
  if (config.previousSecretKey?.equals(config.secretKey)) {
    read.problems.push('SECRET_KEY_PREVIOUS must be another key than SECRET_KEY');
  }
  if (read.problems.length > 0) throw new ConfigError(read.problems);
  return Object.freeze(config);
}

function sandbox(env: Env, local: LocalServices, read: EnvReader) {
  const places = sandboxPlaces(env);
  const { port, checkoutPort } = places;
  return {
    ...local,
    ...places,
    baseUrl: local.baseUrl ?? read.origin('BASE_URL', `http://localhost:${port}`),
    checkoutUrl: local.checkoutUrl ?? read.origin('CHECKOUT_URL', `http://localhost:${checkoutPort}`),
  };
}

/**
 * The sandbox's keys are public knowledge, so that nobody else's machine may use it, unless it is given an address under
 * which other devices reach it itself: by http, at its own port. An https address, or another port, is that of a tunnel
 * or proxy, which runs here.
 */
function hostFor(urls: readonly (readonly [url: string | null, port: number])[]): string {
  const reached = urls.flatMap(([text, port]) => {
    const url = text === null ? null : parseUrl(text);
    const isDirect = url?.protocol === 'http:' && Number(url.port || 80) === port;
    return isDirect && !isLoopback(url.hostname) ? [url.hostname] : [];
  });
  if (reached.length === 0) return '127.0.0.1';
  return reached.some((host) => host.startsWith('[')) ? '::' : '0.0.0.0';
}

/** Whether it is this machine's own, and nobody else's. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[?::1\]?)$/.test(hostname);
}

function production(read: EnvReader) {
  const baseUrl = read.origin('BASE_URL');
  const checkoutUrl = read.origin('CHECKOUT_URL');
  for (const [name, url] of [
    ['BASE_URL', baseUrl],
    ['CHECKOUT_URL', checkoutUrl],
  ] as const) {
    if (url && !url.startsWith('https://')) read.problems.push(`${name} must be https in production`);
  }
  if (baseUrl && baseUrl === checkoutUrl) {
    read.problems.push(
      'BASE_URL and CHECKOUT_URL must differ: a request is served on the surface that its Host names',
    );
  }
  return {
    baseUrl,
    checkoutUrl,
    host: read.text('HOST', '0.0.0.0'),
    port: read.integer('PORT', 3000, 1, 65535),
    checkoutPort: null,
    dataDir: resolve(read.text('DATA_DIR', '.data')),
    databaseUrl: read.text('DATABASE_URL'),
    secretKey: read.key('SECRET_KEY'),
    networks: networks(read),
  };
}

/** `1` or `2` hops, or a list of proxies' addresses. Unset trusts nobody, so that a client cannot name its own. */
function trustProxy(read: EnvReader): Config['trustProxy'] {
  const text = read.optional('TRUST_PROXY');
  if (text === null) return false;
  if (/^\d+$/.test(text) && Number(text) <= MAX_HOPS) return Number(text);
  const networks = text.split(',').map((part) => part.trim());
  if (networks.every(isNetwork)) return networks.join(',');
  read.problems.push(
    `TRUST_PROXY must be the number of proxies in front (at most ${MAX_HOPS}) or their addresses, such as 10.0.0.0/8`,
  );
  return false;
}

/** An address, a network in CIDR notation, or Express' name of one. */
function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  return text.includes('/')
    ? ipaddr.isValidCIDR(text)
    : ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text);
}

/**
 * The server needs extended public keys only; a private one in its environment is a mistake that costs money.
 * An extended key is known by its looks anywhere. 32 bytes in hex may be many things (`SECRET_KEY` is), and twelve
 * words a sentence: those are asked about only where a name speaks of keys.
 */
function refusePrivateKeys(env: Env, read: EnvReader): void {
  for (const [name, value] of Object.entries(env)) {
    if (!value) continue;
    const ofKeys = /XPUB|WALLET|MNEMONIC|PRIVATE|SEED/i.test(name);
    if (hasExtendedPrivateKey(value) || (ofKeys && looksPrivate(value))) {
      read.problems.push(holdsPrivateKey(name));
    }
  }
}
