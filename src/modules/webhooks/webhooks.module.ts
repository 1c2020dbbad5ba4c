import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIG, type Config } from '../../config/config.types.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { DeliveriesRepository } from './data/deliveries.repository.js';
import { EndpointsRepository } from './data/endpoints.repository.js';
import { EventLogRepository } from './data/event-log.repository.js';
import { EventsRepository } from './data/events.repository.js';
import { WebhookEndpointEntity } from './data/webhook-endpoint.entity.js';
import { AttemptMetrics } from './delivery/attempt.metrics.js';
import { DisableNotices } from './delivery/disable-notices.js';
import { DispatcherService } from './delivery/dispatcher.service.js';
import { EndpointVetting } from './delivery/endpoint-vetting.js';
import { resolveByDns } from './delivery/resolve.js';
import { WebhookSender } from './delivery/sender.js';
import { TestEvents } from './delivery/test-events.js';
import type { AddressPolicy } from './domain/address-policy.js';
import { EventLogService } from './event-log.service.js';
import { EventsService } from './events.service.js';
import { OutboxService } from './outbox.service.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhooksMetrics } from './webhooks.metrics.js';
import { WebhooksRetention } from './webhooks.retention.js';
import { WebhooksService } from './webhooks.service.js';

const policyOf = (config: Config): AddressPolicy => ({ sandbox: config.mode === 'sandbox' });

@Module({
  imports: [TypeOrmModule.forFeature([WebhookEndpointEntity]), AlertsModule],
  providers: [
    OutboxService,
    EventsService,
    EventLogService,
    WebhooksService,
    WebhookDeliveriesService,
    WebhooksMetrics,
    WebhooksRetention,
    EndpointsRepository,
    EventLogRepository,
    EventsRepository,
    DeliveriesRepository,
    DisableNotices,
    AttemptMetrics,
    DispatcherService,
    TestEvents,
    {
      provide: EndpointVetting,
      inject: [CONFIG],
      useFactory: (config: Config) => new EndpointVetting(policyOf(config), resolveByDns),
    },
    {
      provide: WebhookSender,
      inject: [CONFIG],
      useFactory: (config: Config) => new WebhookSender({ policy: policyOf(config), resolve: resolveByDns }),
    },
  ],
  exports: [EventsService, EventLogService, WebhooksService, WebhookDeliveriesService, OutboxService],
})
export class WebhooksModule {}
