import { Get, Param, Post, Query } from '@nestjs/common';
import { may } from '../../accounts/accounts.types.js';
import { Allow, CurrentVisit, DashboardController } from '../door/allow.js';
import { Visit } from '../door/visit.js';
import { AlertsDesk, type Desk } from './alerts-desk.js';

/** What a merchant's staff must hear of. Home links here; it is no place of its own. */
@DashboardController('alerts')
export class AlertsController {
  constructor(private readonly desk: AlertsDesk) {}

  @Get()
  @Allow('payments:read')
  async list(@CurrentVisit() visit: Visit, @Query() query: Record<string, unknown>): Promise<void> {
    await this.desk.list(visit, deskOf(visit), query);
  }

  @Post(':id/acknowledge')
  @Allow('alerts:acknowledge')
  async acknowledge(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<void> {
    await this.desk.acknowledge(visit, deskOf(visit), id);
  }
}

function deskOf({ who, merchantId }: Visit): Desk {
  return { path: '/dashboard/alerts', merchantId, mayAcknowledge: may(who, 'alerts:acknowledge') };
}
