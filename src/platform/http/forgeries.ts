import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { SecurityLog } from '../observability/security-log.js';
import { clientIp } from '../rate-limit/client-ip.js';
import { requireOwnOrigin } from './own-origin.js';

/** From another site, or a form without our token. */
export type Forged = 'origin' | 'token';

/** What another site, or a page without our token, sends in somebody's name: refused, and noted. */
@Injectable()
export class Forgeries {
  constructor(private readonly security: SecurityLog) {}

  /** For posts that need no cookie, and so are in nobody's name. @throws DomainError `cross-origin-request` */
  requireOwnOrigin(request: Request, ownOrigin: string): void {
    try {
      requireOwnOrigin(request.headers, ownOrigin);
    } catch (error) {
      this.note(request, 'origin', null);
      throw error;
    }
  }

  /** @param account in whose session it came */
  note(request: Request, why: Forged, account: string | null): void {
    this.security.note('forgery-refused', { account, ip: clientIp(request.ip), why });
  }
}
