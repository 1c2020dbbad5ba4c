import { Get, Query } from '@nestjs/common';
import { AuditLog } from '../../../accounts/audit/audit-log.service.js';
import { NetworksService } from '../../../chains/networks/networks.service.js';
import { Allow, CurrentContext, DashboardController } from '../../session/allow.js';
import { RequestContext } from '../../session/request-context.js';
import { settingsTabs } from '../tabs.js';
import { auditView } from './audit.view.js';

const PAGE_SIZE = 50;
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/** Who changed what. There is no way to change it. */
@DashboardController('audit')
export class AuditController {
  constructor(
    private readonly audit: AuditLog,
    private readonly networks: NetworksService,
  ) {}

  @Get()
  @Allow('audit:read')
  async list(
    @CurrentContext() context: RequestContext,
    @Query() query: Record<string, unknown>,
  ): Promise<void> {
    const { merchantId, who } = context;
    const filter = { actor: text(query['person']), action: text(query['action']) };
    const before = /^\d{1,18}$/.exec(text(query['before']) ?? '')?.[0] ?? null;
    const [entries, known] = await Promise.all([
      this.audit.list(merchantId, PAGE_SIZE + 1, {
        before,
        actions: filter.action === null ? null : [filter.action],
        actor: filter.actor,
      }),
      this.audit.known(merchantId),
    ]);
    const tabs = settingsTabs(context.say, who, 'Audit log');
    const nameOf = (id: string) => this.networks.nameOf(id);
    await context.page(
      'settings/audit',
      auditView(context.say, { tabs, entries, known, filter, before, pageSize: PAGE_SIZE, nameOf }),
    );
  }
}
