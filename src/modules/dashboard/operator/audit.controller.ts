import { Get, Query } from '@nestjs/common';
import { ANYBODYS } from '../../../database/by.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import type { AuditEntry } from '../../accounts/accounts.types.js';
import { AuditLog } from '../../accounts/audit/audit-log.service.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { pathWith } from '../domain/safe-path.js';
import { shortened, withShortIds } from '../domain/shortened.js';
import { moment } from '../domain/times.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { type PageModel, RequestContext } from '../session/request-context.js';
import { idsOf } from '../settings/audit/audit.view.js';
import { actionText } from '../settings/audit/audit-actions.js';
import { detailParts, type NetworkName, subjectText } from '../settings/audit/audit-details.js';

const PAGE_SIZE = 50;

/** Who changed what, at every merchant and on the instance itself. */
@DashboardController('operatorAudit')
export class OperatorAuditController {
  constructor(
    private readonly audit: AuditLog,
    private readonly networks: NetworksService,
  ) {}

  @Get()
  @Allow('operator')
  async list(
    @CurrentContext() context: RequestContext,
    @Query() query: Record<string, unknown>,
  ): Promise<void> {
    const merchant = /^mer_\w{1,60}$/.exec(textOf(query['merchant']))?.[0] ?? null;
    const before = /^[1-9]\d{0,17}$/.exec(textOf(query['before']))?.[0] ?? null;
    const entries = await this.audit.list(merchant ?? ANYBODYS, PAGE_SIZE + 1, { before });
    const nameOf = (id: string) => this.networks.nameOf(id);
    await context.page('operator/audit', auditView(context.say, merchant, entries, nameOf));
  }
}

/** @param entries one more than a page when there are older ones */
function auditView(
  say: Say,
  merchant: string | null,
  entries: readonly AuditEntry[],
  nameOf: NetworkName,
): PageModel {
  const page = entries.slice(0, PAGE_SIZE);
  const last = entries.length > PAGE_SIZE ? page.at(-1) : undefined;
  return {
    title: say('Audit log'),
    merchant,
    rows: page.map(({ at, actor, action, subject, merchantId, detail, ip }) => ({
      at: moment(at),
      actor: visibleText(actor),
      action: actionText(say, action),
      subject: withShortIds(subjectText({ action, subject }, nameOf)),
      ip,
      merchantId: merchantId === subject || merchantId === null ? null : shortened(merchantId),
      merchantPath: merchantId && pathTo('merchant', merchantId),
      isMerchant: merchantId !== null && merchantId === subject,
      details: detailParts(say, { action, detail }, nameOf),
    })),
    ids: idsOf(say, page),
    older: last ? pathWith(pathTo('operatorAudit'), { merchant, before: last.id }) : null,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
