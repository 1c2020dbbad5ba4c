import { Get, Param, Post, Query } from '@nestjs/common';
import { DatabaseClock } from '../../../../database/clock.js';
import { wrongField } from '../../../../kernel/domain-error.js';
import { AuditLog } from '../../../accounts/audit/audit-log.service.js';
import { may } from '../../../accounts/permissions.pure.js';
import { Snippets } from '../../../site/snippets.service.js';
import { WebhookDeliveriesService } from '../../../webhooks/webhook-deliveries.service.js';
import { WebhooksService } from '../../../webhooks/webhooks.service.js';
import { pathTo } from '../../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../../session/allow.js';
import { RequestContext } from '../../session/request-context.js';
import { askedEvents, refOf } from './change.js';
import { answerMessage } from './deliveries.view.js';
import { endpointView } from './endpoint.view.js';
import { createdEndpointView, endpointsView, newEndpointView, verifyView } from './endpoints.view.js';
import { readLog, readUtcMinute } from './log-query.js';

const PAGE_SIZE = 50;

/** Where events go, and how that goes. What needs a fresh proof of identity later is in the other controller. */
@DashboardController('webhooks')
export class EndpointsController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: WebhookDeliveriesService,
    private readonly audit: AuditLog,
    private readonly clock: DatabaseClock,
    private readonly snippets: Snippets,
  ) {}

  @Get()
  @Allow('developers:read')
  async list(@CurrentContext() context: RequestContext): Promise<void> {
    const [endpoints, health, now] = await Promise.all([
      this.webhooks.listEndpoints(context.merchantId),
      this.webhooks.health(context.merchantId),
      this.clock.now(),
    ]);
    const mayManage = may(context.who, 'webhooks:manage');
    const view = endpointsView(context.say, endpoints, health, now, mayManage);
    await context.page('developers/webhooks/list', view);
  }

  @Get('new')
  @Allow('webhooks:manage', { fresh: true })
  async new(@CurrentContext() context: RequestContext): Promise<void> {
    await context.page('developers/webhooks/new', newEndpointView(context.say));
  }

  /** The answer holds the secret, this once. */
  @Post()
  @Allow('webhooks:manage', { fresh: true })
  async create(@CurrentContext() context: RequestContext): Promise<void> {
    const { merchantId, actor } = context;
    const url = context.form.text('url');
    const events = askedEvents(context.form);
    try {
      const { endpoint, secret } = await this.webhooks.createEndpoint(
        { merchantId, url, events },
        this.audit.by(actor),
      );
      await context.page(
        'developers/webhooks/created',
        createdEndpointView(context.say, endpoint, secret),
        201,
      );
    } catch (error) {
      await context.refused(error, 'developers/webhooks/new', newEndpointView(context.say, url, events));
    }
  }

  @Get(':id')
  @Allow('developers:read')
  async show(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Query() query: Record<string, unknown>,
  ): Promise<void> {
    await context.page('developers/webhooks/show', await this.model(context, id, query));
  }

  @Get(':id/verify')
  @Allow('developers:read')
  async verify(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const endpoint = await this.webhooks.getEndpoint(refOf(context, id));
    const view = verifyView(context.say, endpoint, this.snippets.verify);
    await context.page('developers/webhooks/verify', view);
  }

  @Post(':id/test')
  @Allow('webhooks:send')
  async test(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    try {
      const sent = await this.deliveries.sendTest(refOf(context, id), this.audit.by(context.actor));
      const answer = answerMessage(context.say, sent.lastAttempt);
      const said = context.say('The test event was sent: {answer}.', { answer });
      context.redirect(pathTo('delivery', sent.id), {
        kind: sent.state === 'delivered' ? 'good' : 'warn',
        text: said,
      });
    } catch (error) {
      await context.refused(error, 'developers/webhooks/show', await this.model(context, id));
    }
  }

  @Post(':id/disable')
  @Allow('webhooks:send')
  async disable(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    await this.webhooks.disable(refOf(context, id), this.audit.by(context.actor));
    context.redirect(
      pathTo('webhook', id),
      context.say('Disabled. Events are written and held until you enable it again.'),
    );
  }

  @Post(':id/enable')
  @Allow('webhooks:send')
  async enable(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const choice = { sendHeld: context.form.text('held') !== 'drop' };
    await this.webhooks.enable(refOf(context, id), choice, this.audit.by(context.actor));
    const said = choice.sendHeld
      ? 'Enabled. What was held is being sent.'
      : 'Enabled. What was held was given up.';
    context.redirect(pathTo('webhook', id), context.say(said));
  }

  @Post(':id/events')
  @Allow('webhooks:manage')
  async events(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const events = askedEvents(context.form);
    await this.webhooks.changeEvents(refOf(context, id), events, this.audit.by(context.actor));
    context.redirect(pathTo('webhook', id), context.say('Later events are sent as you chose.'));
  }

  @Post(':id/redeliver')
  @Allow('webhooks:send')
  async redeliver(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const since = readUtcMinute(context.form.text('since'));
    try {
      await this.webhooks.getEndpoint(refOf(context, id)); // another merchant's does not exist
      if (!since) throw wrongField('since', 'Choose since when, as a date and a time.');
      const count = await this.deliveries.redeliverFailed(
        refOf(context, id),
        since,
        this.audit.by(context.actor),
      );
      const said = context.say('Failed since then and being sent again: {count, number}.', { count });
      context.redirect(pathTo('webhook', id), said);
    } catch (error) {
      await context.refused(error, 'developers/webhooks/show', await this.model(context, id));
    }
  }

  private async model(context: RequestContext, id: string, query: Record<string, unknown> = {}) {
    const ref = refOf(context, id);
    const log = readLog(query);
    const endpoint = await this.webhooks.getEndpoint(ref);
    const [health, page, now] = await Promise.all([
      this.webhooks.health(context.merchantId),
      this.deliveries.list(ref, { ...log.filter, limit: PAGE_SIZE }),
      this.clock.now(),
    ]);
    return endpointView(context.say, {
      endpoint,
      health: health.find(({ endpointId }) => endpointId === id),
      page,
      log,
      now,
      typedSince: context.form.text('since'),
      mayManage: may(context.who, 'webhooks:manage'),
    });
  }
}
