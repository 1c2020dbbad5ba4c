import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Config } from '../../config/config.types.js';
import { DomainError } from '../../kernel/domain-error.js';
import { traceIdFrom, withTrace } from '../observability/trace.js';
import { isOfAnInstance, type Paths } from './surface.js';

/** Longest request target. Beyond it a URL is a mistake or an attack. */
const MAX_TARGET_BYTES = 8 * 1024;

/** More than any client or proxy sends. */
const MAX_HEADERS = 100;
const HANG_UP = { headers: { Connection: 'close' } };

/** Gives every request its trace id, on every log line and on the response. */
export function trace(): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const traceId = traceIdFrom(request.get('traceparent'));
    response.setHeader('X-Trace-Id', traceId);
    withTrace(traceId, next);
  };
}

/** What Node's parser lets through and no client of ours has a reason to send. */
export function strictRequests({ api }: Pick<Paths, 'api'>): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction) => {
    if (request.originalUrl.length > MAX_TARGET_BYTES) {
      return next(new DomainError('invalid', 'uri-too-long', 'The request target is longer than 8 KiB.'));
    }
    const hosts = request.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host');
    const named = hosts.length === 1 || (hosts.length === 0 && request.httpVersionMinor === 0);
    if (!named || !request.originalUrl.startsWith('/')) {
      return next(
        new DomainError('invalid', 'bad-request', 'Send one Host header and a path as request target.'),
      );
    }
    // PostgreSQL holds no NUL, and no page has a use for one.
    if (request.originalUrl.includes('%00') && !api.test(request.originalUrl)) {
      return next(new DomainError('invalid', 'bad-request', 'The address holds a NUL character.'));
    }
    if (request.rawHeaders.length > 2 * MAX_HEADERS) {
      return next(
        new DomainError(
          'invalid',
          'headers-too-large',
          `There are more than ${MAX_HEADERS} headers.`,
          HANG_UP,
        ),
      );
    }
    if (!hasPlainFraming(request)) {
      return next(
        new DomainError(
          'invalid',
          'bad-request',
          'Send one Content-Length, or Transfer-Encoding: chunked by HTTP/1.1.',
          HANG_UP,
        ),
      );
    }
    next();
  };
}

/** Where its body ends must be beyond doubt, or a proxy in front of us could see another request than we do. */
function hasPlainFraming({ headers, httpVersionMinor }: Request): boolean {
  const encoding = headers['transfer-encoding'];
  if (encoding === undefined) return true;
  return (
    encoding.toLowerCase() === 'chunked' && headers['content-length'] === undefined && httpVersionMinor === 1
  );
}

/**
 * Production speaks https only. A page is redirected; a program is refused without a redirect, because its key has
 * just been exposed and it must notice.
 */
export function httpsOnly(
  { baseUrl, checkoutUrl }: Pick<Config, 'baseUrl' | 'checkoutUrl'>,
  { pages }: Pick<Paths, 'pages'>,
): RequestHandler {
  const origins = new Map([baseUrl, checkoutUrl].map((url) => [new URL(url).host, url]));
  return (request: Request, response: Response, next: NextFunction) => {
    // A proxy that says "http" names a client outside, whose token for the metrics has just been exposed.
    const isDirect = request.headers['x-forwarded-proto'] === undefined;
    if (isOfAnInstance(request) && (isDirect || request.path !== '/metrics')) return next();
    if (cameBySecure(request)) {
      // Without includeSubDomains: below the same name there may be hosts that speak http only.
      response.setHeader('Strict-Transport-Security', 'max-age=63072000');
      return next();
    }
    const origin = origins.get(request.headers.host?.toLowerCase() ?? '');
    if (origin && pages.test(request.path) && (request.method === 'GET' || request.method === 'HEAD')) {
      response.redirect(308, origin + request.originalUrl);
      return;
    }
    next(new DomainError('forbidden', 'https-required', 'This request came over plain HTTP.'));
  };
}

/**
 * Whether the client spoke https, as the outermost proxy that we trust has said it. A proxy that appends to the header
 * leaves what the client wrote at its left end, which is where Express looks.
 */
function cameBySecure(request: Request): boolean {
  const { socket, headers, app } = request;
  if ('encrypted' in socket && socket.encrypted === true) return true;
  const trusts = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  if (!trusts(socket.remoteAddress ?? '', 0)) return false;
  const told = String(headers['x-forwarded-proto'] ?? '').split(',');
  const proxies = Math.max(1, request.ips.length);
  return told.at(-Math.min(proxies, told.length))?.trim().toLowerCase() === 'https';
}

/**
 * Until the application says that it is ready, its answers could be wrong. A service that stops answers nothing new
 * either, and hangs up: a connection that stays open would keep its server from closing.
 * @param starting what it does until then: "is …"
 */
export function whenReady(
  readiness: { readonly isOpen: boolean; readonly isClosed: boolean },
  starting: string,
): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    if (readiness.isClosed) response.setHeader('Connection', 'close');
    if (readiness.isOpen || isOfAnInstance(request)) return next();
    const why = readiness.isClosed ? 'is stopping' : starting;
    next(
      new DomainError('unavailable', 'unavailable', `The service ${why}.`, {
        headers: { 'Retry-After': '5' },
      }),
    );
  };
}
