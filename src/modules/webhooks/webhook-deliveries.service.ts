import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { By } from '../../database/by.js';
import { DomainError } from '../../kernel/domain-error.js';
import { SecretBox } from '../../platform/secrets/secret-box.js';
import { DeliveriesRepository, type DeliveryContent } from './data/deliveries.repository.js';
import { EndpointsRepository } from './data/endpoints.repository.js';
import type { WebhookEndpointEntity } from './data/webhook-endpoint.entity.js';
import { signatureOf } from './delivery/attempt.js';
import { FIXED_HEADERS } from './delivery/sender.js';
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
  DeliveryRequest,
  DeliveryView,
  EndpointRef,
} from './webhooks.types.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

const GIVING_UP = 'What had waited for its endpoint is still being given up. Try again in a minute.';

/** What was sent to a merchant's endpoints, what came of it, and how to have it sent again. */
@Injectable()
export class WebhookDeliveriesService {
  private readonly logger = new Logger(WebhookDeliveriesService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly secretBox: SecretBox,
    private readonly deliveries: DeliveriesRepository,
    private readonly endpoints: EndpointsRepository,
    private readonly tests: TestEvents,
    private readonly outbox: OutboxService,
  ) {}

  /** Of one endpoint, newest first. @throws DomainError `webhook-endpoint-not-found`, `validation-error` */
  async list(ref: EndpointRef, filter: DeliveryFilter = {}): Promise<DeliveryPage> {
    const { state = null, failed = false, since = null, after = null, limit = DEFAULT_LIMIT } = filter;
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
      throw new DomainError('invalid', 'validation-error', `limit must be 1 to ${MAX_LIMIT}.`);
    }
    if (after !== null && !isDeliveryId(after)) {
      throw new DomainError('invalid', 'validation-error', 'after must be the `next` of the page before.');
    }
    await this.requireEndpoint(ref);
    const items = await this.deliveries.list(ref, { state, failed, since, after, limit: limit + 1 });
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
   * What a try of it sends, signed as of now: whoever has this can play our part towards that endpoint for five
   * minutes, with this one event. Without a signature when the key that opens the endpoint's secret is lost.
   * @throws DomainError `webhook-delivery-not-found`
   */
  async request(ref: DeliveryRef): Promise<DeliveryRequest> {
    const content = isDeliveryId(ref.deliveryId) ? await this.deliveries.content(ref) : null;
    if (!content) throw webhookDeliveryNotFound();
    const { url, body } = content;
    return {
      url,
      body,
      headers: { ...FIXED_HEADERS, 'webhook-id': content.eventId, ...this.signed(content) },
    };
  }

  /**
   * Sends one delivery again at once, whether it arrived, failed, or waits for a later try: the same `webhook-id` and
   * body, a new timestamp and signature, and the whole schedule if it fails.
   * @throws DomainError `webhook-delivery-not-found`; `webhook-not-redelivered` while it is being sent or given up, and
   *   while its endpoint is disabled or when it is deleted
   */
  async redeliver(ref: DeliveryRef, by: By): Promise<void> {
    const { eventId: subject, endpointId } = await this.get(ref);
    const { merchantId, deliveryId: delivery } = ref;
    const change = { merchantId, action: 'webhook.redelivered', subject, detail: { delivery } } as const;
    const isRestarted = await this.dataSource.transaction(async (tx) => {
      const restarted = await this.deliveries.restart(tx, ref);
      if (restarted) await by.record(tx, change);
      return restarted;
    });
    if (!isRestarted) {
      const endpoint = await this.endpoints.find({ merchantId, endpointId });
      throw webhookNotRedelivered(whyNot(await this.get(ref), endpoint));
    }
    this.outbox.wake();
  }

  /**
   * The same for everything of an endpoint that was written since and failed: given up, or waiting for another try.
   * It is recorded before, because the restart is many transactions.
   * @returns how many deliveries start again
   * @throws DomainError `webhook-endpoint-not-found`; `webhook-not-redelivered` while the endpoint is disabled, and while
   *   what it had held is being given up
   */
  async redeliverFailed(ref: EndpointRef, since: Date, by: By): Promise<number> {
    const { disabledAt, givenUpTo } = await this.requireEndpoint(ref);
    if (disabledAt) throw webhookNotRedelivered('The endpoint is disabled. Enable it first.');
    if (givenUpTo !== null) throw webhookNotRedelivered(GIVING_UP);
    const { merchantId, endpointId: subject } = ref;
    const detail = { since: since.toISOString() };
    const change = { merchantId, action: 'webhook.redelivered-failed', subject, detail } as const;
    await this.dataSource.transaction((tx) => by.record(tx, change));
    const restarted = await this.deliveries.restartFailed(ref.endpointId, since);
    this.outbox.wake();
    return restarted;
  }

  /**
   * Sends one signed `webhook.test` event now, to a disabled endpoint too, and waits for its answer (10 s at most). It
   * is a delivery like any other and is logged, but tried only once.
   * @throws DomainError `webhook-endpoint-not-found`, `webhook-test-under-way`
   */
  async sendTest(ref: EndpointRef, by: By): Promise<DeliveryView> {
    const deliveryId = await this.tests.send(ref, by);
    return this.get({ merchantId: ref.merchantId, deliveryId });
  }

  /** For the operator's command line, which names a delivery alone. @throws DomainError `webhook-delivery-not-found` */
  async ownerOf(deliveryId: string): Promise<string> {
    const owner = isDeliveryId(deliveryId) ? await this.deliveries.ownerOf(deliveryId) : null;
    if (owner === null) throw webhookDeliveryNotFound();
    return owner;
  }

  /** Without a signature where none can be made, as with a key that is not the secret's. */
  private signed(content: DeliveryContent) {
    try {
      return signatureOf(content, this.secretBox, content.now);
    } catch (err) {
      this.logger.warn({ eventId: content.eventId, err }, 'a delivery could not be signed for its page');
      return {};
    }
  }

  private async requireEndpoint(ref: EndpointRef) {
    const endpoint = await this.endpoints.find(ref);
    if (!endpoint) throw webhookEndpointNotFound();
    return endpoint;
  }
}

function whyNot({ id, state }: DeliveryView, endpoint: WebhookEndpointEntity | null): string {
  if (endpoint?.disabledAt !== null)
    return 'Its endpoint takes nothing now. A disabled one must be enabled first; a deleted one is gone.';
  if (state === 'sending') return 'This delivery is being sent right now.';
  if (endpoint.givenUpTo !== null && BigInt(id) <= BigInt(endpoint.givenUpTo)) return GIVING_UP;
  return 'This delivery changed at this very moment. Try again.';
}

/** A number as the database takes it: what is none names no delivery. */
function isDeliveryId(text: string): boolean {
  return /^[1-9]\d{0,17}$/.test(text);
}
