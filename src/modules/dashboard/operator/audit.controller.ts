import { Get, Query } from '@nestjs/common';
import { visibleText } from '../../../kernel/visible-text.js';
import type { AuditEntry, Role } from '../../accounts/accounts.types.js';
import { AuditLog } from '../../accounts/audit/audit-log.service.js';
import { pathWith } from '../domain/safe-path.js';
import { moment } from '../domain/times.js';
import { ROLE_NAMES } from '../language/roles.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { RequestContext, type PageModel } from '../session/request-context.js';

const PAGE_SIZE = 50;

/** Who changed what, at every merchant and on the instance itself. */
@DashboardController('operatorAudit')
export class OperatorAuditController {
  constructor(private readonly audit: AuditLog) {}

  @Get()
  @Allow('operator')
  async list(
    @CurrentContext() context: RequestContext,
    @Query() query: Record<string, unknown>,
  ): Promise<void> {
    const merchant = /^mer_\w{1,60}$/.exec(textOf(query['merchant']))?.[0] ?? null;
    const before = /^[1-9]\d{0,17}$/.exec(textOf(query['before']))?.[0] ?? null;
    const entries = await this.audit.list(merchant, PAGE_SIZE + 1, before);
    await context.page('operator/audit', auditView(context.say, merchant, entries));
  }
}

/** @param entries one more than a page when there are older ones */
function auditView(say: Say, merchant: string | null, entries: readonly AuditEntry[]): PageModel {
  const page = entries.slice(0, PAGE_SIZE);
  const last = entries.length > PAGE_SIZE ? page.at(-1) : undefined;
  return {
    title: say('Audit log'),
    merchant,
    rows: page.map(({ at, actor, action, subject, merchantId, detail, address }) => ({
      at: moment(at),
      actor: visibleText(actor),
      action,
      subject: visibleText(subject),
      address,
      merchantId: merchantId === subject ? null : merchantId,
      merchantPath: merchantId && pathTo('merchant', merchantId),
      isMerchant: merchantId !== null && merchantId === subject,
      detail: Object.entries(detail).flatMap(([name, value]) =>
        value === null || value === '' ? [] : [{ name, value: visibleText(sayable(say, name, value)) }],
      ),
    })),
    older: last ? pathWith(pathTo('operatorAudit'), { merchant, before: last.id }) : null,
  };
}

function sayable(say: Say, name: string, value: unknown): string {
  if (name === 'role' && isRole(value)) return say(ROLE_NAMES[value]);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isRole(value: unknown): value is Role {
  return typeof value === 'string' && Object.hasOwn(ROLE_NAMES, value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
