import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  Inject,
  Logger,
  NotFoundException,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../config/config.types.js';
import { DomainError } from '../../kernel/domain-error.js';
import { fieldsOf } from '../../kernel/error-fields.js';
import { currentTraceId } from '../observability/trace.js';
import { ErrorPages } from './error-pages.js';
import { noteProblem } from './noted.js';
import { OutageLog } from './outage-log.js';
import { Problems, toProblem } from './problem.js';
import { RouteTable } from './route-table.js';
import { isUnreachable } from './unreachable.js';

/** Every error of the server leaves here: as a problem document, or as a page where a person is looking. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger(ProblemFilter.name);
  private readonly outage = new OutageLog();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly problems: Problems,
    private readonly routes: RouteTable,
    private readonly pages: ErrorPages,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(error, http.getRequest<Request>(), http.getResponse<Response>());
  }

  answer(error: unknown, request: Request, response: Response): void {
    if (response.headersSent) {
      if (!hasLeft(error)) this.log(error, request);
      response.destroy();
      return;
    }
    const allowed = isNotFound(error) ? this.routes.methodsAt(request) : [];
    if (allowed.length > 0 && request.method === 'OPTIONS') {
      response.status(204).set('Allow', allowed.join(', ')).end();
      return;
    }
    // A controller says "not found" too, to a method that does work here.
    const misused = allowed.length > 0 && !allowed.includes(request.method);
    const refusal = misused
      ? this.problems.methodNotAllowed(request.method, allowed)
      : this.problems.refusalOf(error);
    if (refusal.status >= 500 && !(error instanceof DomainError)) {
      this.log(error, request);
    }
    noteProblem(response, refusal.slug);
    const traceId = currentTraceId() ?? '';
    response.status(refusal.status).set({ 'Cache-Control': 'no-store', ...refusal.headers });
    const page = this.pages.render(request, refusal, traceId);
    if (page !== null) {
      response.type('html').send(page);
      return;
    }
    const problem = toProblem(refusal, this.config.baseUrl, request.originalUrl.split('?')[0] ?? '', traceId);
    response.set('Content-Type', 'application/problem+json').send(Buffer.from(JSON.stringify(problem)));
  }

  private log(error: unknown, { method, path }: Request): void {
    if (!isUnreachable(error)) {
      this.logger.error({ err: error, method, path }, 'request failed');
      return;
    }
    const requests = this.outage.note(performance.now());
    if (requests === null) return;
    const { code = null, message } = fieldsOf(error);
    this.logger.error(
      { requests, code, reason: message, method, path },
      'the database cannot be reached: requests are answered with 503',
    );
  }
}

/** Whoever was answered did not wait for the end: nothing has failed. */
function hasLeft(error: unknown): boolean {
  return fieldsOf(error).code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** Nest's router found nothing. A `DomainError` of the kind not_found comes from a route that exists. */
function isNotFound(error: unknown): boolean {
  return error instanceof NotFoundException;
}
