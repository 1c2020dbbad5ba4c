import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { SecurityLog } from '../observability/security-log.js';
import { clientAddress } from '../rate-limit/client-address.js';
import { requireOwnOrigin } from './own-origin.js';

/** What another site, or a page without our token, sends in somebody's name: refused, and noted. */
@Injectable()
export class Forgeries {
  constructor(private readonly security: SecurityLog) {}

  /** For posts that need no cookie. @throws DomainError `cross-origin-request` */
  requireOwnOrigin(request: Request, ownOrigin: string): void {
    this.refuse(request, () => requireOwnOrigin(request.headers, ownOrigin));
  }

  /** @param check throws for a forgery */
  refuse(request: Request, check: () => void): void {
    try {
      check();
    } catch (error) {
      this.security.note('forgery-refused', { ip: clientAddress(request.ip) });
      throw error;
    }
  }
}
