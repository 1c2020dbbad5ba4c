import { Get, type OnModuleInit, Param, Post, Query } from '@nestjs/common';
import { AlertsService } from '../../alerts/alerts.service.js';
import { AlertsDesk, type Desk } from '../alerts/alerts-desk.js';
import { pathTo } from '../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { Navigation } from '../session/pages/navigation.js';
import { RequestContext } from '../session/request-context.js';

const PATH = pathTo('operatorAlerts');
const DESK: Desk = { path: PATH, merchantId: null, mayAcknowledge: true };

/** What the operator must hear of about the instance. */
@DashboardController('operatorAlerts')
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
  async list(
    @CurrentContext() context: RequestContext,
    @Query() query: Record<string, unknown>,
  ): Promise<void> {
    await this.desk.list(context, DESK, query);
  }

  @Post(':id/acknowledge')
  @Allow('operator:alerts')
  async acknowledge(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    await this.desk.acknowledge(context, DESK, id);
  }
}
