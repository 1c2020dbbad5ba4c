import { Get, type OnModuleInit, Param, Post, Query } from '@nestjs/common';
import { AlertsService } from '../../alerts/alerts.service.js';
import { AlertsPage, type AlertsScope } from '../alerts/alerts-page.js';
import { pathTo } from '../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { Navigation } from '../session/pages/navigation.js';
import { RequestContext } from '../session/request-context.js';

const PATH = pathTo('operatorAlerts');
const SCOPE: AlertsScope = { path: PATH, merchantId: null, acknowledge: 'acknowledgeOperatorAlert' };

/** What the operator must hear of about the instance. */
@DashboardController('operatorAlerts')
export class OperatorAlertsController implements OnModuleInit {
  constructor(
    private readonly page: AlertsPage,
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
    await this.page.list(context, SCOPE, query);
  }

  @Post(':id/acknowledge')
  @Allow('operator:alerts')
  async acknowledge(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    await this.page.acknowledge(context, SCOPE, id);
  }
}
