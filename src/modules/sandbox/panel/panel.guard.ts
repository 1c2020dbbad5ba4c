import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { Forgeries } from '../../../platform/http/forgeries.js';

/** A browser says where a form comes from; another site's is refused, as at the checkout. */
@Injectable()
export class PanelGuard implements CanActivate {
  constructor(
    private readonly forgeries: Forgeries,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (request.method === 'POST') this.forgeries.requireOwnOrigin(request, this.config.checkoutUrl);
    return true;
  }
}
