import { parseUrl } from '../kernel/text/parse-url.js';
import type { Config, NetworkConfig } from './config.types.js';

/**
 * What somebody reads in the log to know how this instance runs. Written by naming what may be seen, and not by cutting
 * out secrets: of an address only where it leads, because passwords and providers' keys stand in what surrounds that.
 */
export function describeConfig(config: Config): Readonly<Record<keyof Config, unknown>> {
  const { mode, port, checkoutPort, host, trustProxy, databasePoolSize, checkoutStreams, logLevel } = config;
  return {
    mode,
    host,
    port,
    checkoutPort,
    trustProxy,
    databasePoolSize,
    checkoutStreams,
    logLevel,
    baseUrl: config.baseUrl,
    checkoutUrl: config.checkoutUrl,
    dataDir: mode === 'sandbox' ? config.dataDir : undefined,
    databaseUrl: placeOf(config.databaseUrl),
    secretKey: 'set',
    previousSecretKey: isSet(config.previousSecretKey),
    networks: config.networks.map(describeNetwork),
    rateLimits: config.rateLimits,
    rates: {
      sources: config.rates.sources,
      coingeckoKey: isSet(config.rates.coingeckoKey),
      origins: Object.fromEntries(config.rates.sources.map((name) => [name, config.rates.origins[name]])),
      maxAgeS: config.rates.maxAgeS,
      maxDeviationBps: config.rates.maxDeviationBps,
    },
    mail: config.mail && placeOf(config.mail.smtpUrl),
    operator: {
      emails: config.operator.emails.length,
      webhook: config.operator.webhook && placeOf(config.operator.webhook.url),
    },
    retention: config.retention,
    reconciliation: config.reconciliation,
    securityContact: config.securityContact,
    metrics: { port: config.metrics.port, token: isSet(config.metrics.token) },
  };
}

function describeNetwork({ id, chainId, rpcUrl, secondRpcUrl, assets }: NetworkConfig) {
  return {
    id,
    chainId,
    node: placeOf(rpcUrl),
    secondNode: secondRpcUrl === undefined ? undefined : placeOf(secondRpcUrl),
    assets: assets.map(({ symbol }) => symbol),
  };
}

function placeOf(url: string): string {
  return parseUrl(url)?.host || 'set';
}

const isSet = (secret: unknown) => (secret === null ? 'not set' : 'set');
