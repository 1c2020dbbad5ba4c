import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/domain-error.js';
import { DeliveryRepository } from './data/delivery.repository.js';
import { EndpointRepository } from './data/endpoint.repository.js';
import { TestEvents } from './delivery/test-events.js';
import { OutboxService } from './outbox.service.js';
import {
  webhookDeliveryNotFound,
  webhookEndpointNotFound,
  webhookNotRedelivered,
} from './webhooks.errors.js';
import type {
  AttemptView,
  DeliveryFilter,
  DeliveryPage,
  DeliveryRef,
  DeliveryView,
  EndpointRef,
} from './webhooks.types.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

/** What was sent to a merchant's endpoints, what came of it, and how to have it sent again. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly endpoints: EndpointRepository,
    private readonly tests: TestEvents,
    private readonly outbox: OutboxService,
  ) {}

  /** Of one endpoint, newest first. @throws DomainError `webhook-endpoint-not-found`, `validation-error` */
  async list(ref: EndpointRef, filter: DeliveryFilter = {}): Promise<DeliveryPage> {
    const { failed = false, since = null, after = null, limit = DEFAULT_LIMIT } = filter;
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
      throw new DomainError('invalid', 'validation-error', `limit must be 1 to ${MAX_LIMIT}.`);
    }
    if (after !== null && !isDeliveryId(after)) {
      throw new DomainError('invalid', 'validation-error', 'after must be the `next` of the page before.');
    }
    await this.requireEndpoint(ref);
    const items = await this.deliveries.list(ref, { failed, since, after, limit: limit + 1 });
    const page = items.slice(0, limit);
    return { items: page, next: items.length > limit ? (page.at(-1)?.id ?? null) : null };
  }

  /** Of one intent's events at all endpoints, oldest first; empty for another merchant's intent. */
  listOfIntent(merchantId: string, intentId: string): Promise<DeliveryView[]> {
    return this.deliveries.listOfSubject(merchantId, intentId);
  }

  /** @throws DomainError `webhook-delivery-not-found` */
  async get(ref: DeliveryRef): Promise<DeliveryView> {
    const found = isDeliveryId(ref.deliveryId) ? await this.deliveries.find(ref) : null;
    if (!found) throw webhookDeliveryNotFound();
    return found;
  }

  /** The latest hundred tries, newest first. @throws DomainError `webhook-delivery-not-found` */
  async attempts(ref: DeliveryRef): Promise<AttemptView[]> {
    await this.get(ref);
    return this.deliveries.attempts(ref.deliveryId);
  }

  /**
   * Sends one delivery again at once, whether it arrived, failed, or waits for a later try: the same `webhook-id` and
   * body, a new timestamp and signature, and the whole schedule if it fails.
   * @throws DomainError `webhook-delivery-not-found`; `webhook-not-redelivered` while it is being sent, and while its
   *   endpoint is disabled or when it is deleted
   */
  async redeliver(ref: DeliveryRef): Promise<void> {
    const { state } = await this.get(ref);
    if (!(await this.deliveries.restart(ref))) {
      throw webhookNotRedelivered(
        state === 'sending'
          ? 'This delivery is being sent right now.'
          : 'Its endpoint takes nothing now. A disabled one must be enabled first; a deleted one is gone.',
      );
    }
    this.outbox.wake();
  }

  /**
   * The same for everything of an endpoint that was written since and failed: given up, or waiting for another try.
   * @returns how many deliveries start again
   * @throws DomainError `webhook-endpoint-not-found`, `webhook-not-redelivered` while the endpoint is disabled
   */
  async redeliverFailed(ref: EndpointRef, since: Date): Promise<number> {
    const { disabledAt } = await this.requireEndpoint(ref);
    if (disabledAt) throw webhookNotRedelivered('The endpoint is disabled. Enable it first.');
    const restarted = await this.deliveries.restartFailed(ref.endpointId, since);
    this.outbox.wake();
    return restarted;
  }

  /**
   * Sends one signed `webhook.test` event now, to a disabled endpoint too, and waits for its answer (10 s at most). It
   * is a delivery like any other and is logged, but tried only once.
   * @throws DomainError `webhook-endpoint-not-found`, `webhook-test-under-way`
   */
  async sendTest(ref: EndpointRef): Promise<DeliveryView> {
    const deliveryId = await this.tests.send(ref);
    return this.get({ merchantId: ref.merchantId, deliveryId });
  }

  /** For the operator's command line, which names a delivery alone. @throws DomainError `webhook-delivery-not-found` */
  async ownerOf(deliveryId: string): Promise<string> {
    const owner = isDeliveryId(deliveryId) ? await this.deliveries.ownerOf(deliveryId) : null;
    if (owner === null) throw webhookDeliveryNotFound();
    return owner;
  }

  private async requireEndpoint(ref: EndpointRef) {
    const endpoint = await this.endpoints.find(ref);
    if (!endpoint) throw webhookEndpointNotFound();
    return endpoint;
  }
}

/** A number as the database takes it: what is none names no delivery. */
function isDeliveryId(text: string): boolean {
  return /^[1-9]\d{0,17}$/.test(text);
}
