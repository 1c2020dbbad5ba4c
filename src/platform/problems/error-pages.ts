import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { RefusedRequest } from './problem.js';

/** Draws an error for a person, or answers `null` when it is not for its part of the site. */
export type ErrorPage = (request: Request, refusal: RefusedRequest, traceId: string) => string | null;

/** Where modules that have pages hand in those of errors. */
@Injectable()
export class ErrorPages {
  private readonly pages: ErrorPage[] = [];
  private rest: ErrorPage = () => null;

  register(page: ErrorPage): void {
    this.pages.push(page);
  }

  /** Drawn where no part of the site takes the error for its own. */
  otherwise(page: ErrorPage): void {
    this.rest = page;
  }

  /** A page only where the client asks for HTML by name: `curl` and API clients get the problem document. */
  render(request: Request, refusal: RefusedRequest, traceId: string): string | null {
    if (!/\btext\/html\b/.test(request.headers.accept ?? '')) return null;
    for (const page of this.pages) {
      const html = page(request, refusal, traceId);
      if (html !== null) return html;
    }
    return this.rest(request, refusal, traceId);
  }
}
