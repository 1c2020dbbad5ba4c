import { Get, Param, Post, Query } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import { csvOf } from '../../../kernel/text/csv.js';
import { AuditLog } from '../../accounts/audit/audit-log.service.js';
import { SavedViewsService } from '../../accounts/people/saved-views.service.js';
import { may } from '../../accounts/permissions.pure.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { IntentsService } from '../../intents/lifecycle/intents.service.js';
import { PaymentDetailsService } from '../../intents/reporting/payment-details.service.js';
import { PaymentsService } from '../../intents/reporting/payments.service.js';
import { RefundsService } from '../../intents/review/refunds.service.js';
import { WebhookDeliveriesService } from '../../webhooks/webhook-deliveries.service.js';
import { WebhooksService } from '../../webhooks/webhooks.service.js';
import { pathTo } from '../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { RequestContext } from '../session/request-context.js';
import { PAYMENT_COLUMNS } from './export.js';
import { type PageQuery, readPaymentsQuery } from './filter.js';
import { assetChoices, paymentListView } from './list.view.js';
import { paymentView } from './show.view.js';

const PAGE_SIZE = 50;

@DashboardController('payments')
export class PaymentsController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly views: SavedViewsService,
    private readonly details: PaymentDetailsService,
    private readonly intents: IntentsService,
    private readonly refunds: RefundsService,
    private readonly webhooks: WebhooksService,
    private readonly deliveries: WebhookDeliveriesService,
    private readonly networks: NetworksService,
    private readonly audit: AuditLog,
  ) {}

  @Get()
  @Allow('payments:read')
  async list(@CurrentContext() context: RequestContext, @Query() query: PageQuery): Promise<void> {
    const { merchantId, say } = context;
    const asked = readPaymentsQuery(query);
    const [page, views] = await Promise.all([
      this.payments.list(merchantId, asked.filter, asked.cursor, PAGE_SIZE),
      this.views.list(context.viewsOwner),
    ]);
    const choices = assetChoices(say, this.networks.all());
    await context.page('payments/list', paymentListView(say, asked, page, choices, views));
  }

  @Get('export.csv')
  @Allow('payments:read')
  async export(@CurrentContext() context: RequestContext, @Query() query: PageQuery): Promise<void> {
    const { filter, problems } = readPaymentsQuery(query);
    // A file cannot say that a part of the filter was left out, and somebody will add it up.
    if (problems.length > 0) throw new DomainError('invalid', 'validation-error', problems.join(' '));
    const rows = await this.payments.export(context.merchantId, filter);
    await context.csv('payments.csv', csvOf(PAYMENT_COLUMNS, rows));
  }

  @Get(':id')
  @Allow('payments:read')
  async show(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    await context.page('payments/show', await this.model(context, id));
  }

  @Post(':id/cancel')
  @Allow('payments:cancel')
  async cancel(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const { merchantId, actor } = context;
    try {
      const change = { whose: merchantId, id, by: this.audit.by(actor) };
      await this.intents.cancel(change, 'cancelled-by-merchant');
    } catch (error) {
      return context.refused(error, 'payments/show', await this.model(context, id));
    }
    context.redirect(pathTo('payment', id), context.say('The payment is cancelled.'));
  }

  private async model(context: RequestContext, id: string) {
    const { merchantId } = context;
    const [detail, deliveries, endpoints, refunds, { refundable }] = await Promise.all([
      this.details.get(merchantId, id),
      this.deliveries.listOfIntent(merchantId, id),
      this.webhooks.listEndpoints(merchantId),
      this.refunds.ofIntent(merchantId, id),
      this.refunds.proposal(merchantId, id),
    ]);
    return paymentView(context.say, {
      detail,
      deliveries,
      endpoints,
      refunds,
      mayRefund: may(context.who, 'refunds:decide') && refundable.length > 0,
      mayCancel: may(context.who, 'payments:cancel'),
      maySeeDeliveries: may(context.who, 'developers:read'),
    });
  }
}
