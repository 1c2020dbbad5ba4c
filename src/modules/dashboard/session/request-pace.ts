import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SecurityLog } from '../../../platform/observability/security-log.js';
import { clientIp } from '../../../platform/rate-limit/client-ip.js';
import { enforceRateLimit } from '../../../platform/rate-limit/rate-limit.headers.js';
import { RateWindows } from '../../../platform/rate-limit/rate-windows.js';
import type { AccountSecurityEvent, CountedBy } from '../../accounts/accounts.types.js';
import { AuditLog } from '../../accounts/audit/audit-log.service.js';
import { SessionsService } from '../../accounts/sessions/sessions.service.js';
import { DashboardPages } from './pages/dashboard.pages.js';

/** Per address: an office of people who click fast, and nobody's crawler. */
const REQUESTS_PER_MINUTE = 600;

/** How many requests there may be in a minute, and by what they are counted. */
@Injectable()
export class RequestPace {
  constructor(
    private readonly windows: RateWindows,
    private readonly sessions: SessionsService,
    private readonly pages: DashboardPages,
    private readonly security: SecurityLog<AccountSecurityEvent>,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Counts a request by its address. Once that is over its limit, whoever is in a session or a known browser is counted by that: a
   * stranger behind the same address keeps nobody out.
   * @throws DomainError `rate-limit-exceeded`
   */
  async keep(request: Request, response: Response): Promise<void> {
    const ip = clientIp(request.ip);
    const ofAddress = this.windows.hit(`dashboard:${ip}`);
    const known = ofAddress.hits > REQUESTS_PER_MINUTE ? await this.countedBy(request) : null;
    const hits = known ? this.windows.hitKnown(`dashboard:${known.id}`) : ofAddress;
    if (hits.hits > REQUESTS_PER_MINUTE) this.note(ip, known);
    enforceRateLimit(response, 'dashboard', REQUESTS_PER_MINUTE, hits);
  }

  private note(ip: string, known: CountedBy | null): void {
    const why = known?.kind ?? 'address';
    this.security.note('dashboard-throttled', { account: known?.personId ?? null, ip, why });
    const asker = known && this.sessions.askerIn(known, ip);
    if (!asker) return;
    const refusal = {
      merchantId: null,
      action: 'dashboard.throttled',
      subject: asker.personId,
      why,
    } as const;
    this.audit.refused(asker, refusal);
  }

  private countedBy(request: Request) {
    const { sessionCookie, deviceCookie } = this.pages;
    return this.sessions.countedBy(sessionCookie.read(request), deviceCookie.read(request));
  }
}
