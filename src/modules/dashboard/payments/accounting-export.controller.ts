import { Get, Query } from '@nestjs/common';
import { DatabaseClock } from '../../../database/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { DAY_MS, dayOf, dayText } from '../../../kernel/text/calendar.js';
import { ExportsService } from '../../intents/reporting/exports.service.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { RequestContext } from '../session/request-context.js';

/** The accounting export of a period: what `rappen export` writes, for whoever has no command line. */
@DashboardController('accountingExport')
export class AccountingExportController {
  constructor(
    private readonly exports: ExportsService,
    private readonly clock: DatabaseClock,
  ) {}

  /** Proposes the last whole month, which is what accounting asks for. */
  @Get()
  @Allow('payments:read')
  async ask(@CurrentContext() context: RequestContext): Promise<void> {
    const { from, to } = lastMonth(await this.clock.now());
    await context.page('payments/accounting-export', {
      title: context.say('Export for accounting'),
      from,
      to,
    });
  }

  @Get('export.csv')
  @Allow('payments:read')
  async file(
    @CurrentContext() context: RequestContext,
    @Query() query: Record<string, unknown>,
  ): Promise<void> {
    const asked = { ...lastMonth(await this.clock.now()), ...query };
    const [first, last] = [asked.from, asked.to].map((text) => dayOf(String(text)));
    if (!first || !last)
      throw new DomainError('invalid', 'validation-error', 'Both days are dates such as 2026-11-21.');
    const period = { from: first, to: new Date(last.getTime() + DAY_MS) };
    const lines = this.exports.csv(context.merchantId, period);
    await context.csv(`books-${dayText(first)}-to-${dayText(last)}.csv`, lines);
  }
}

/** Both its days belong to it. */
function lastMonth(now: Date): { from: string; to: string } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return {
    from: dayText(new Date(Date.UTC(year, month - 1, 1))),
    to: dayText(new Date(Date.UTC(year, month, 0))),
  };
}
