import { Get, Param, Post, Query } from '@nestjs/common';
import { may } from '../../accounts/permissions.pure.js';
import { pathTo } from '../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { RequestContext } from '../session/request-context.js';
import { AlertsDesk, type Desk } from './alerts-desk.js';

/** What a merchant's staff must hear of. Home links here; it is no place of its own. */
@DashboardController('alerts')
export class AlertsController {
  constructor(private readonly desk: AlertsDesk) {}

  @Get()
  @Allow('payments:read')
  async list(
    @CurrentContext() context: RequestContext,
    @Query() query: Record<string, unknown>,
  ): Promise<void> {
    await this.desk.list(context, deskOf(context), query);
  }

  @Post(':id/acknowledge')
  @Allow('alerts:acknowledge')
  async acknowledge(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    await this.desk.acknowledge(context, deskOf(context), id);
  }
}

function deskOf({ who, merchantId }: RequestContext): Desk {
  return { path: pathTo('alerts'), merchantId, mayAcknowledge: may(who, 'alerts:acknowledge') };
}
