import { randomBytes } from 'node:crypto';
import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Request, type Response } from 'express';
import type { ProblemSlug } from '../../kernel/domain-error.js';
import { type Problems, toProblem } from '../problems/problem.js';
import { closeServer } from './close-server.js';

/** A client that has not sent its headers in this time is slow on purpose or gone. */
const HEADERS_TIMEOUT_MS = 10_000;
/** For the whole request, its body of at most 64 KiB included. */
const REQUEST_TIMEOUT_MS = 15_000;
/** Longer than the minute for which proxies keep their upstream connections: we must not close first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const CHECK_EVERY_MS = 1_000;
/** Node's default, written down because it is one of our limits. */
const MAX_HEADER_BYTES = 16 * 1024;
/** Node would drop what is beyond 2,000 headers and serve the rest: `strictRequests` counts, and refuses. */
const NO_HEADER_DROPPED = 0;

/** Options for Node's parser; strict, and quick to notice slow clients. */
const SERVER_OPTIONS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  connectionsCheckingInterval: CHECK_EVERY_MS,
  insecureHTTPParser: false,
  // Node would answer these two itself, without a problem document: `strictRequests` refuses a missing Host, and
  // an expectation that we do not know is ignored, as HTTP allows.
  requireHostHeader: false,
};

/** What a refusal of this server's own says. */
export interface Refusing {
  readonly problems: Problems;
  readonly baseUrl: string;
}

/** @param listener an application of Express is one whose messages are its own (`ownMessages`) */
export function createHttpServer(listener: RequestListener | Express, refusing: Refusing): Server {
  const options = 'request' in listener ? { ...SERVER_OPTIONS, ...messagesOf(listener) } : SERVER_OPTIONS;
  const server = createServer(options, listener).on('checkExpectation', listener);
  server.maxHeadersCount = NO_HEADER_DROPPED;
  // Without this Node hangs up on CONNECT without a word.
  server.on('connect', (_request, socket: Duplex) => refuse(socket, refusing, 'bad-request', 'Bad Request'));
  return answerParseErrors(server, refusing);
}

/**
 * Express gives each request and each answer of Node its own prototype when it comes, and with that V8 forgets what it knew
 * of them: most of what Express costs (ADR 91). Messages made by these classes have that prototype from birth, and nothing
 * is changed.
 */
function ownMessages(app: Express): Express {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {}
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  app.request = ExpressRequest.prototype as Request;
  app.response = ExpressResponse.prototype as unknown as Response;
  return app;
}

function messagesOf({ request, response }: Express) {
  return {
    IncomingMessage: request.constructor as typeof IncomingMessage,
    ServerResponse: response.constructor as typeof ServerResponse,
  };
}

/** Nest's Express adapter on a server with our limits. */
export class LimitedExpressAdapter extends ExpressAdapter {
  /** Called as soon as the application begins to close, before any module is told. */
  onClosing: () => void = () => undefined;

  constructor(private readonly refusing: Refusing) {
    super(ownMessages(express()));
  }

  override initHttpServer(): void {
    this.setHttpServer(createHttpServer(this.getInstance<RequestListener>(), this.refusing));
  }

  /**
   * What a handler returns, as JSON, without what Express does for answers of any kind: it looks for an ETag and for
   * what the client has, neither of which the API has. Whatever names a type itself goes Express's way.
   */
  override reply(response: Response, body: unknown, status?: number): unknown {
    const isJson =
      typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype;
    if (!isJson || response.hasHeader('Content-Type')) return super.reply(response, body, status);
    const text = JSON.stringify(body);
    if (status !== undefined) response.statusCode = status;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    return response.end(text);
  }

  override beforeClose(): void {
    super.beforeClose();
    this.onClosing();
  }

  override async close(): Promise<void> {
    await closeServer(this.getHttpServer());
  }
}

/** By the codes of Node's errors; anything else is a 400. */
const REFUSALS: Readonly<Record<string, { slug: ProblemSlug; phrase: string }>> = {
  HPE_HEADER_OVERFLOW: { slug: 'headers-too-large', phrase: 'Request Header Fields Too Large' },
  ERR_HTTP_REQUEST_TIMEOUT: { slug: 'request-timeout', phrase: 'Request Timeout' },
};

/** What Node's parser refuses never reaches Express; it still gets a problem document. */
function answerParseErrors(server: Server, refusing: Refusing): Server {
  const latest = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', (request, response) => latest.set(request.socket, response));
  return server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const { slug, phrase } = REFUSALS[error.code ?? ''] ?? { slug: 'bad-request', phrase: 'Bad Request' };
    const answer = latest.get(socket);
    if (answer?.req.complete && !answer.writableFinished) {
      // First what came first: a client would take this for the answer to that.
      answer.once('finish', () => refuse(socket, refusing, slug, phrase));
    } else if (answer?.headersSent && !answer.req.complete) {
      // The rest of a request that has been refused already.
      socket.end();
    } else {
      refuse(socket, refusing, slug, phrase);
    }
  });
}

/** A problem document by hand, where there is no response to write it to. Hangs up. */
function refuse(socket: Duplex, { problems, baseUrl }: Refusing, slug: ProblemSlug, phrase: string): void {
  if (!socket.writable) return;
  const refusal = problems.plain(slug);
  const traceId = randomBytes(16).toString('hex');
  const body = JSON.stringify(toProblem(refusal, baseUrl, '', traceId));
  socket.end(
    `HTTP/1.1 ${refusal.status} ${phrase}\r\nContent-Type: application/problem+json\r\nCache-Control: no-store\r\n` +
      `X-Trace-Id: ${traceId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
