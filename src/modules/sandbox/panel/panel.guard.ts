import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { requireOwnOrigin } from '../../../platform/http/own-origin.js';

/** A browser says where a form comes from; another site's is refused, as at the checkout. */
@Injectable()
export class PanelGuard implements CanActivate {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  canActivate(context: ExecutionContext): boolean {
    const { method, headers } = context.switchToHttp().getRequest<Request>();
    if (method === 'POST') requireOwnOrigin(headers, this.config.checkoutUrl);
    return true;
  }
}
