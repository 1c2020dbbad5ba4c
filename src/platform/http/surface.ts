import { NotFoundException } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Config } from '../../config/config.types.js';
import { DomainError } from '../../kernel/domain-error.js';

/** Which of the two addresses of the configuration a request came to. */
export type Surface = 'base' | 'checkout';

const surfaceByRequest = new WeakMap<Request, Surface>();
const hostByRequest = new WeakMap<Request, Surface>();

/** `null` while the request is on no surface: health checks, and paths that its surface does not serve. */
export function surfaceOf(request: Request): Surface | null {
  return surfaceByRequest.get(request) ?? null;
}

/** The surface that its `Host` names, also for a path that is not served there; `null` for any other Host. */
export function hostOf(request: Request): Surface | null {
  return hostByRequest.get(request) ?? null;
}

/** Asked of an instance by its address, by load balancers and Prometheus: no Host names it. */
const OF_AN_INSTANCE = /^\/(health\/|metrics$)/;
const SHARED_PATHS = /^\/(assets\/|\.well-known\/security\.txt$|favicon\.|robots\.txt$)/;

/** Which paths are whose: given at composition, because the platform serves all alike and knows none. */
export interface Paths {
  /** Served at CHECKOUT_URL and nowhere else, and nothing else there. */
  readonly checkout: RegExp;
  /** For people: over plain http they are redirected, where a program is refused. */
  readonly pages: RegExp;
  /** Told by their own routes what is wrong in their address: after the key, and by name. */
  readonly api: RegExp;
}

export function isOfAnInstance({ path }: Request): boolean {
  return OF_AN_INSTANCE.test(path);
}

/**
 * Serves each request only on the surface that its `Host` names: CHECKOUT_URL is a separate address, so that
 * nothing on it shares an origin with keys or sessions (ADR 9). Any other Host is 421.
 */
export function surfaces(
  config: Pick<Config, 'mode' | 'baseUrl' | 'checkoutUrl' | 'port' | 'checkoutPort'>,
  { checkout }: Pick<Paths, 'checkout'>,
): RequestHandler {
  const hosts = new Map<string, Surface>([
    ...spellings(config.baseUrl).map((host) => [host, 'base'] as const),
    ...spellings(config.checkoutUrl).map((host) => [host, 'checkout'] as const),
    ...(config.mode === 'sandbox' ? sandboxHosts(config) : []),
  ]);
  return (request: Request, _response: Response, next: NextFunction) => {
    if (isOfAnInstance(request)) return next();
    const surface = hosts.get(request.headers.host?.toLowerCase() ?? '');
    if (!surface) {
      return next(
        new DomainError(
          'misdirected',
          'misdirected-request',
          `This is ${config.baseUrl} and ${config.checkoutUrl}.`,
        ),
      );
    }
    hostByRequest.set(request, surface);
    const isCheckoutPath = checkout.test(request.path);
    if (!SHARED_PATHS.test(request.path) && isCheckoutPath !== (surface === 'checkout')) {
      return next(new NotFoundException());
    }
    surfaceByRequest.set(request, surface);
    next();
  };
}

/** Whatever a sandbox is called in its network, it is asked on its own machine too. */
function sandboxHosts({ port, checkoutPort }: Pick<Config, 'port' | 'checkoutPort'>): [string, Surface][] {
  return [
    [`localhost:${port}`, 'base'],
    [`localhost:${checkoutPort}`, 'checkout'],
  ];
}

/** A client may write the scheme's own port or leave it out. */
function spellings(origin: string): string[] {
  const { host, hostname, port, protocol } = new URL(origin);
  return port ? [host] : [host, `${hostname}:${protocol === 'https:' ? 443 : 80}`];
}
