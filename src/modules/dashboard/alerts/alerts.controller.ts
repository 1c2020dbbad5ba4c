import { Get, Param, Post, Query } from '@nestjs/common';
import { may } from '../../accounts/permissions.pure.js';
import { pathTo } from '../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { RequestContext } from '../session/request-context.js';
import { AlertsPage, type AlertsScope } from './alerts-page.js';

/** What a merchant's staff must hear of. Home links here; it is no place of its own. */
@DashboardController('alerts')
export class AlertsController {
  constructor(private readonly page: AlertsPage) {}

  @Get()
  @Allow('payments:read')
  async list(
    @CurrentContext() context: RequestContext,
    @Query() query: Record<string, unknown>,
  ): Promise<void> {
    await this.page.list(context, scopeOf(context), query);
  }

  @Post(':id/acknowledge')
  @Allow('alerts:acknowledge')
  async acknowledge(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    await this.page.acknowledge(context, scopeOf(context), id);
  }
}

function scopeOf({ who, merchantId }: RequestContext): AlertsScope {
  const acknowledge = may(who, 'alerts:acknowledge') ? 'acknowledgeAlert' : null;
  return { path: pathTo('alerts'), merchantId, acknowledge };
}
