import { Get, Param, Post, Query } from '@nestjs/common';
import { DatabaseClock } from '../../../../database/clock.js';
import { DomainError } from '../../../../kernel/domain-error.js';
import { Snippets } from '../../../../platform/site/snippets.js';
import { may } from '../../../accounts/accounts.types.js';
import { AuditLog } from '../../../accounts/audit/audit-log.service.js';
import { WebhookDeliveriesService } from '../../../webhooks/webhook-deliveries.service.js';
import { WebhooksService } from '../../../webhooks/webhooks.service.js';
import { countText } from '../../domain/paging.js';
import { Allow, CurrentVisit, DashboardController } from '../../door/allow.js';
import { Visit } from '../../door/visit.js';
import { askedEvents, pathOf, recorder, refOf } from './change.js';
import { answerWords } from './deliveries.view.js';
import { createdView, endpointsView, newEndpointView, verifyView } from './endpoints.view.js';
import { readLog, utcMinute } from './log-address.js';
import { endpointView } from './endpoint.view.js';

const PAGE_SIZE = 50;

/** Where events go, and how that goes. What needs a fresh proof of identity later is in the other controller. */
@DashboardController('developers/webhooks')
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
  async list(@CurrentVisit() visit: Visit): Promise<void> {
    const [endpoints, health, now] = await Promise.all([
      this.webhooks.listEndpoints(visit.merchantId),
      this.webhooks.health(visit.merchantId),
      this.clock.now(),
    ]);
    const mayManage = may(visit.who, 'webhooks:manage');
    await visit.page('developers/webhooks/list', endpointsView(endpoints, health, now, mayManage));
  }

  @Get('new')
  @Allow('webhooks:manage', { fresh: true })
  async new(@CurrentVisit() visit: Visit): Promise<void> {
    await visit.page('developers/webhooks/new', newEndpointView());
  }

  /** The answer holds the secret, this once. */
  @Post()
  @Allow('webhooks:manage', { fresh: true })
  async create(@CurrentVisit() visit: Visit): Promise<void> {
    const { merchantId, actor } = visit;
    const url = visit.form.text('url');
    const events = askedEvents(visit.form);
    try {
      const { endpoint, secret } = await this.webhooks.createEndpoint(
        { merchantId, url, events },
        (tx, created) =>
          this.audit.record(tx, actor, {
            merchantId,
            action: 'webhook.created',
            subject: created.id,
            detail: { url: created.url, events: created.events.join(', ') },
          }),
      );
      await visit.page(
        'developers/webhooks/created',
        createdView(endpoint, secret, this.snippets.verify),
        201,
      );
    } catch (error) {
      await visit.refused(error, 'developers/webhooks/new', newEndpointView(url, events));
    }
  }

  @Get(':id')
  @Allow('developers:read')
  async show(
    @CurrentVisit() visit: Visit,
    @Param('id') id: string,
    @Query() query: Record<string, unknown>,
  ): Promise<void> {
    await visit.page('developers/webhooks/show', await this.model(visit, id, query));
  }

  @Get(':id/verify')
  @Allow('developers:read')
  async verify(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<void> {
    const endpoint = await this.webhooks.getEndpoint(refOf(visit, id));
    await visit.page('developers/webhooks/verify', verifyView(endpoint, this.snippets.verify));
  }

  @Post(':id/test')
  @Allow('webhooks:send')
  async test(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<void> {
    try {
      const sent = await this.deliveries.sendTest(
        refOf(visit, id),
        recorder(this.audit, visit, id, 'tested'),
      );
      const said = `The test event was sent: ${answerWords(sent.lastAttempt)}.`;
      visit.redirect(`/dashboard/developers/deliveries/${sent.id}`, {
        kind: sent.state === 'delivered' ? 'good' : 'warn',
        text: said,
      });
    } catch (error) {
      await visit.refused(error, 'developers/webhooks/show', await this.model(visit, id));
    }
  }

  @Post(':id/disable')
  @Allow('webhooks:send')
  async disable(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<void> {
    await this.webhooks.disable(refOf(visit, id), recorder(this.audit, visit, id, 'disabled'));
    visit.redirect(pathOf(id), 'Disabled. Events are written and held until you enable it again.');
  }

  @Post(':id/enable')
  @Allow('webhooks:send')
  async enable(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<void> {
    const choice = { sendHeld: visit.form.text('held') !== 'drop' };
    await this.webhooks.enable(refOf(visit, id), choice, recorder(this.audit, visit, id, 'enabled', choice));
    const held = choice.sendHeld ? 'What was held is being sent.' : 'What was held was given up.';
    visit.redirect(pathOf(id), `Enabled. ${held}`);
  }

  @Post(':id/events')
  @Allow('webhooks:manage')
  async events(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<void> {
    const events = askedEvents(visit.form);
    const also = recorder(this.audit, visit, id, 'events-changed', { events: events.join(', ') });
    await this.webhooks.changeEvents(refOf(visit, id), events, also);
    visit.redirect(pathOf(id), 'Later events are sent as you chose.');
  }

  @Post(':id/redeliver')
  @Allow('webhooks:send')
  async redeliver(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<void> {
    const since = utcMinute(visit.form.text('since'));
    try {
      await this.webhooks.getEndpoint(refOf(visit, id)); // another merchant's does not exist
      if (!since)
        throw new DomainError('invalid', 'validation-error', 'Choose since when, as a date and a time.');
      const also = recorder(this.audit, visit, id, 'redelivered-failed', { since: since.toISOString() });
      const count = await this.deliveries.redeliverFailed(refOf(visit, id), since, also);
      visit.redirect(pathOf(id), `Failed since then and being sent again: ${countText(count)}.`);
    } catch (error) {
      await visit.refused(error, 'developers/webhooks/show', await this.model(visit, id));
    }
  }

  private async model(visit: Visit, id: string, query: Record<string, unknown> = {}) {
    const ref = refOf(visit, id);
    const log = readLog(query);
    const endpoint = await this.webhooks.getEndpoint(ref);
    const [health, page, now] = await Promise.all([
      this.webhooks.health(visit.merchantId),
      this.deliveries.list(ref, { ...log.filter, limit: PAGE_SIZE }),
      this.clock.now(),
    ]);
    return endpointView({
      endpoint,
      health: health.find(({ endpointId }) => endpointId === id),
      page,
      log,
      now,
      typedSince: visit.form.text('since'),
      mayManage: may(visit.who, 'webhooks:manage'),
    });
  }
}
