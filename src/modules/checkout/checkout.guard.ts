import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../config/config.types.js';
import { Forgeries } from '../../platform/http/forgeries.js';
import { clientIp } from '../../platform/rate-limit/client-ip.js';
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
    private readonly forgeries: Forgeries,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (request.method === 'POST') this.forgeries.requireOwnOrigin(request, this.config.checkoutUrl);
    const hits = this.windows.hit(`checkout:${clientIp(request.ip)}`);
    enforceRateLimit(http.getResponse<Response>(), 'checkout', REQUESTS_PER_MINUTE, hits);
    return true;
  }
}
