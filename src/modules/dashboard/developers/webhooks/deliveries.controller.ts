import { Get, Param, Post } from '@nestjs/common';
import { DomainError } from '../../../../kernel/domain-error.js';
import { may } from '../../../accounts/permissions.pure.js';
import { AuditLog } from '../../../accounts/audit/audit-log.service.js';
import { WebhookDeliveriesService } from '../../../webhooks/webhook-deliveries.service.js';
import { WebhooksService } from '../../../webhooks/webhooks.service.js';
import type { EndpointRef, WebhookEndpointView } from '../../../webhooks/webhooks.types.js';
import { pathTo } from '../../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../../session/allow.js';
import { RequestContext } from '../../session/request-context.js';
import { deliveryView } from './deliveries.view.js';

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
    await this.deliveries.get(ref); // another merchant's does not exist
    try {
      await this.deliveries.redeliver(ref, this.audit.by(context.actor));
    } catch (error) {
      return context.refused(error, 'developers/deliveries/show', await this.model(context, id));
    }
    context.redirect(
      pathTo('delivery', id),
      context.say('It is being sent again. Load this page to see the answer.'),
    );
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
