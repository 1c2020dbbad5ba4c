import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../config/config.types.js';
import { DomainError } from '../../kernel/domain-error.js';
import { clientAddress } from '../../platform/rate-limit/client-address.js';
import { enforceRateLimit } from '../../platform/rate-limit/rate-limit.headers.js';
import { RateWindows } from '../../platform/rate-limit/rate-windows.js';

/** Per address: a page polls 20 times a minute, and a family or an office shares an address. */
const REQUESTS_PER_MINUTE = 600;

/**
 * Posts need no cookie and carry no token; a browser says where a form comes from, and another site's is refused.
 */
@Injectable()
export class CheckoutGuard implements CanActivate {
  constructor(
    private readonly windows: RateWindows,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const { origin } = request.headers;
    if (request.method === 'POST' && origin !== undefined && origin !== this.config.checkoutUrl) {
      throw new DomainError('forbidden', 'cross-origin-request', 'The form was sent from another site.');
    }
    const hits = this.windows.hit(`checkout:${clientAddress(request.ip)}`);
    enforceRateLimit(http.getResponse<Response>(), 'checkout', REQUESTS_PER_MINUTE, hits);
    return true;
  }
}
