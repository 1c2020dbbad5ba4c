import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AuditTrail } from '../../database/by.js';
import { SecurityLog } from '../../platform/observability/security-log.js';
import { clientIp } from '../../platform/rate-limit/client-ip.js';
import type { AuthSecurityEvent, KeyOwner } from './auth.types.js';

/** Why a request is not let in. */
export type RefusedKey = 'none' | 'conflicting' | 'unknown' | 'throttled' | 'revoked' | 'closed';
/** Why a good key may not do what it asks for. */
export type ForbiddenKey = 'pending' | 'suspended' | 'closed' | 'scope';

/** Each request that its key does not open: a line and a count, and where the key is known an entry in its merchant's log. */
@Injectable()
export class RefusedKeys {
  constructor(
    private readonly security: SecurityLog<AuthSecurityEvent>,
    private readonly trail: AuditTrail,
  ) {}

  /** @param of `null` where nobody knows whose the key is */
  refused(request: Request, why: RefusedKey, of: KeyOwner | null): void {
    this.note('key-refused', request, why, of);
  }

  /** Apart from those who are not let in: a suspended shop whose server goes on must not look like guessing. */
  forbidden(request: Request, why: ForbiddenKey, of: KeyOwner): void {
    this.note('key-forbidden', request, why, of);
  }

  private note(
    event: 'key-refused' | 'key-forbidden',
    request: Request,
    why: RefusedKey | ForbiddenKey,
    of: KeyOwner | null,
  ): void {
    const ip = clientIp(request.ip);
    if (of === null) return this.security.note(event, { ip, why });
    const { keyId, merchantId } = of;
    this.security.note(event, { account: merchantId, key: keyId, ip, why });
    const refusal = { merchantId, action: 'key.refused', subject: keyId, why } as const;
    this.trail.refusedAgent(`key:${keyId}`, ip, refusal);
  }
}
