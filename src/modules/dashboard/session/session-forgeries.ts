import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { type Forged, Forgeries } from '../../../platform/http/forgeries.js';
import { clientIp } from '../../../platform/rate-limit/client-ip.js';
import type { SignedIn } from '../../accounts/accounts.types.js';
import { AuditLog } from '../../accounts/audit/audit-log.service.js';
import { SessionsService } from '../../accounts/sessions/sessions.service.js';
import type { Form } from '../domain/form.js';
import { DashboardPages } from './pages/dashboard.pages.js';
import { requireSameSite } from './same-site.js';

/** As the audit log names who is not known to be the person. */
const NAMES: Readonly<Record<Forged, string>> = { origin: 'another site', token: 'a form without its token' };

/** What was sent in the name of somebody who is signed in, by another than them. It is in their log. */
@Injectable()
export class SessionForgeries {
  constructor(
    private readonly forgeries: Forgeries,
    private readonly sessions: SessionsService,
    private readonly pages: DashboardPages,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws DomainError `cross-origin-request` */
  async requireSameSite(request: Request): Promise<void> {
    try {
      requireSameSite(request.headers, this.config.baseUrl);
    } catch (error) {
      const personId = await this.sessions.whose(this.pages.sessionCookie.read(request));
      this.note(request, 'origin', personId);
      throw error;
    }
  }

  /** @throws DomainError `cross-origin-request` */
  requireToken(request: Request, form: Form, { csrfToken, personId }: SignedIn): void {
    const [sent, expected] = [Buffer.from(form.raw('csrf')), Buffer.from(csrfToken)];
    if (sent.length === expected.length && timingSafeEqual(sent, expected)) return;
    this.note(request, 'token', personId);
    const text = 'This form is out of date. Load its page again.';
    throw new DomainError('forbidden', 'cross-origin-request', text);
  }

  private note(request: Request, why: Forged, personId: string | null): void {
    this.forgeries.note(request, why, personId);
    if (personId === null) return;
    const actor = { name: NAMES[why], personId, ip: clientIp(request.ip) };
    const refusal = { merchantId: null, action: 'forgery.refused', subject: personId, why } as const;
    this.audit.refused(actor, refusal);
  }
}
