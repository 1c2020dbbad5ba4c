import { setTimeout as sleep } from 'node:timers/promises';
import { Get, Param, Post } from '@nestjs/common';
import { DomainError } from '../../../../kernel/domain-error.js';
import { AuditLog } from '../../../accounts/audit/audit-log.service.js';
import { may } from '../../../accounts/permissions.pure.js';
import { WebhookDeliveriesService } from '../../../webhooks/webhook-deliveries.service.js';
import { WebhooksService } from '../../../webhooks/webhooks.service.js';
import type {
  AttemptView,
  DeliveryRef,
  EndpointRef,
  WebhookEndpointView,
} from '../../../webhooks/webhooks.types.js';
import { pathTo } from '../../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../../session/allow.js';
import { RequestContext } from '../../session/request-context.js';
import { deliveryView, sentAgain } from './deliveries.view.js';

/** Most receivers answer within a second; whoever presses the button waits no longer than for any slow page. */
const ANSWERED_WITHIN_MS = 2_500;
const LOOK_EVERY_MS = 100;

@DashboardController('delivery')
export class DeliveriesController {
  constructor(
    private readonly deliveries: WebhookDeliveriesService,
    private readonly webhooks: WebhooksService,
    private readonly audit: AuditLog,
  ) {}

  @Get()
  @Allow('developers:read')
  async show(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    await context.page('developers/deliveries/show', await this.model(context, id));
  }

  @Post('redeliver')
  @Allow('webhooks:send')
  async redeliver(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const ref = { merchantId: context.merchantId, deliveryId: id };
    const [latest] = await this.deliveries.attempts(ref); // another merchant's does not exist
    const before = latest?.id ?? null;
    try {
      await this.deliveries.redeliver(ref, this.audit.by(context.actor));
    } catch (error) {
      return context.refused(error, 'developers/deliveries/show', await this.model(context, id));
    }
    const answer = await this.answerTo(ref, before);
    const said = answer
      ? sentAgain(context.say, answer)
      : context.say(
          'It is being sent again, and nothing has answered yet. Load this page to see the answer.',
        );
    context.redirect(pathTo('delivery', id), said);
  }

  /** The next try after the one that was the latest; `null` when it takes longer than anybody waits for a page. */
  private async answerTo(ref: DeliveryRef, before: string | null): Promise<AttemptView | null> {
    const until = performance.now() + ANSWERED_WITHIN_MS;
    while (performance.now() < until) {
      const [latest] = await this.deliveries.attempts(ref);
      if (latest && latest.id !== before) return latest;
      await sleep(LOOK_EVERY_MS);
    }
    return null;
  }

  private async model(context: RequestContext, deliveryId: string) {
    const ref = { merchantId: context.merchantId, deliveryId };
    const [delivery, attempts, request] = await Promise.all([
      this.deliveries.get(ref),
      this.deliveries.attempts(ref),
      this.deliveries.request(ref),
    ]);
    const { merchantId } = context;
    const endpoint = await this.endpoint({ merchantId, endpointId: delivery.endpointId });
    return deliveryView(context.say, {
      delivery,
      attempts,
      request,
      endpoint,
      mayManage: may(context.who, 'webhooks:manage'),
    });
  }

  /** `null` when it was deleted since. */
  private async endpoint(ref: EndpointRef): Promise<WebhookEndpointView | null> {
    try {
      return await this.webhooks.getEndpoint(ref);
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not_found') return null;
      throw error;
    }
  }
}
