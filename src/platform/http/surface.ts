import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { NotFoundException } from '@nestjs/common';
import type { Config } from '../../config/config.types.js';
import { DomainError } from '../../kernel/domain-error.js';

/** Which of the two addresses a request came to: the API and the dashboard, or the hosted checkout. */
export type Surface = 'base' | 'checkout';

const SURFACE = Symbol('surface');
type Marked = Request & { [SURFACE]?: Surface };

/** `null` while the request is on no surface: health checks, and paths that its surface does not serve. */
export function surfaceOf(request: Request): Surface | null {
  return (request as Marked)[SURFACE] ?? null;
}

/** Answered on every Host, because load balancers ask by address. */
const EVERYWHERE = /^\/health\//;
/** The buyer's pages, and what a sandbox adds to them. */
const CHECKOUT_PATHS = /^(\/sandbox)?\/pay(\/|$)/;
const SHARED_PATHS = /^\/(assets\/|favicon\.|robots\.txt$)/;

/**
 * Serves each request only on the surface that its `Host` names (PRODUCT: the checkout is a separate address,
 * so that nothing on it shares an origin with keys or sessions). Any other Host is 421.
 */
export function surfaces(config: Pick<Config, 'baseUrl' | 'checkoutUrl'>): RequestHandler {
  const hosts = new Map<string, Surface>([
    ...spellings(config.baseUrl).map((host) => [host, 'base'] as const),
    ...spellings(config.checkoutUrl).map((host) => [host, 'checkout'] as const),
  ]);
  return (request: Request, _response: Response, next: NextFunction) => {
    if (EVERYWHERE.test(request.path)) return next();
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
    const isCheckoutPath = CHECKOUT_PATHS.test(request.path);
    if (!SHARED_PATHS.test(request.path) && isCheckoutPath !== (surface === 'checkout')) {
      return next(new NotFoundException());
    }
    (request as Marked)[SURFACE] = surface;
    next();
  };
}

/** A client may write the scheme's own port or leave it out. */
function spellings(origin: string): string[] {
  const { host, hostname, port, protocol } = new URL(origin);
  return port ? [host] : [host, `${hostname}:${protocol === 'https:' ? 443 : 80}`];
}
