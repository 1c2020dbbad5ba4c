import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { Counter, Histogram } from 'prom-client';
import { fieldsOf } from '../../kernel/error-fields.js';
import { Metrics } from './metrics.js';

/** From a read that met no wait to what a client gives up on; each more is a series for each route. */
const BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** No route answered: an unknown path or Host, or what was refused before. A stranger chooses those, so they share one series. */
const NO_ROUTE = { method: '', route: 'none' };

interface Labels {
  readonly method: string;
  readonly route: string;
}

/**
 * Requests by the pattern of their route, never by their path, which holds ids. Counted when the answer ends; an event
 * stream lasts as long as somebody looks at it, so it has a count and no latency.
 */
@Injectable()
export class HttpMetrics {
  private readonly requests: Counter<'method' | 'route' | 'status'>;
  private readonly durations: Histogram<'method' | 'route'>;

  constructor(metrics: Metrics) {
    const registers = [metrics.registry];
    this.requests = new Counter({
      name: 'rappen_http_requests_total',
      help: 'Requests by route and status; status "aborted" where the client hung up before the answer had ended',
      labelNames: ['method', 'route', 'status'],
      registers,
    });
    this.durations = new Histogram({
      name: 'rappen_http_request_duration_seconds',
      help: 'From the head of a request to the end of its answer, event streams left out',
      labelNames: ['method', 'route'],
      buckets: BUCKETS_S,
      registers,
    });
  }

  /** The first of all handlers, so that what the others refuse is counted too. */
  middleware(): RequestHandler {
    return (request: Request, response: Response, next: NextFunction) => {
      const startedAtMs = performance.now();
      response.once('close', () => this.note(request, response, performance.now() - startedAtMs));
      next();
    };
  }

  private note(request: Request, response: Response, durationMs: number): void {
    const { method, route } = labelsOf(request);
    const isStream = String(response.getHeader('Content-Type')).startsWith('text/event-stream');
    const hasEnded = response.writableFinished || isStream;
    this.requests.inc({ method, route, status: hasEnded ? response.statusCode : 'aborted' });
    if (!isStream) this.durations.observe({ method, route }, durationMs / 1_000);
  }
}

/** Express keeps the route that it matched on the request. */
function labelsOf(request: Request): Labels {
  const { path } = fieldsOf(request.route);
  return typeof path === 'string' ? { method: request.method, route: path } : NO_ROUTE;
}
