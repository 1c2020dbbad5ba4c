import { Get, Param, Post, Query, type OnModuleInit } from '@nestjs/common';
import { AlertsService } from '../../alerts/alerts.service.js';
import { AlertsDesk, type Desk } from '../alerts/alerts-desk.js';
import { Allow, CurrentVisit, DashboardController } from '../door/allow.js';
import { Visit } from '../door/visit.js';
import { Navigation } from '../navigation.js';

const PATH = '/dashboard/operator/alerts';
const DESK: Desk = { path: PATH, merchantId: null, mayAcknowledge: true };

/** What the operator must hear of about the instance. */
@DashboardController('operator/alerts')
export class OperatorAlertsController implements OnModuleInit {
  constructor(
    private readonly desk: AlertsDesk,
    private readonly alerts: AlertsService,
    private readonly navigation: Navigation,
  ) {}

  onModuleInit(): void {
    this.navigation.badge(PATH, () => this.alerts.openCount(null));
  }

  @Get()
  @Allow('operator')
  async list(@CurrentVisit() visit: Visit, @Query() query: Record<string, unknown>): Promise<void> {
    await this.desk.list(visit, DESK, query);
  }

  @Post(':id/acknowledge')
  @Allow('operator:alerts')
  async acknowledge(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<void> {
    await this.desk.acknowledge(visit, DESK, id);
  }
}
