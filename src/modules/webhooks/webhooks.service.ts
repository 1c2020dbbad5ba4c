import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { WebhookVerb } from '../../database/audit-actions.js';
import type { By } from '../../database/by.js';
import { newId } from '../../kernel/ids.js';
import { newSecret } from '../../kernel/webhook-signature.js';
import { SecretBox } from '../../platform/secrets/secret-box.js';
import { EndpointsRepository } from './data/endpoints.repository.js';
import type { WebhookEndpointEntity } from './data/webhook-endpoint.entity.js';
import { DisableNotices } from './delivery/disable-notices.js';
import { EndpointVetting } from './delivery/endpoint-vetting.js';
import { placeOfSecret } from './domain/endpoint-secret.js';
import { OutboxService } from './outbox.service.js';
import { invalidWebhookEvents, tooManyWebhookEndpoints, webhookEndpointNotFound } from './webhooks.errors.js';
import {
  ENDPOINT_EVENTS,
  type EndpointEvent,
  type EndpointHealth,
  type EndpointRef,
  type EndpointTrouble,
  type WebhookBacklog,
  type WebhookEndpointView,
} from './webhooks.types.js';

export const MAX_ENDPOINTS_PER_MERCHANT = 10;

/**
 * Endpoints as their merchant manages them. Another merchant's endpoint is one that does not exist.
 */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly endpoints: EndpointsRepository,
    private readonly vetting: EndpointVetting,
    private readonly outbox: OutboxService,
    private readonly secretBox: SecretBox,
    private readonly notices: DisableNotices,
  ) {}

  /**
   * Creates an endpoint for all later events of an existing merchant; nothing is sent to it now. The secret is shown
   * here and never again.
   * @param input.events `payment.status` alone without it
   * @throws DomainError `invalid-webhook-url`, `invalid-webhook-events`, `too-many-webhook-endpoints`
   */
  async createEndpoint(
    input: { merchantId: string; url: string; events?: readonly string[] },
    by: By,
  ): Promise<{ endpoint: WebhookEndpointView; secret: string }> {
    const events = readEvents(input.events ?? ['payment.status']);
    const url = await this.vetting.vet(input.url);
    const id = newId('we');
    const secret = newSecret();
    const sealedSecret = this.secretBox.seal(secret, placeOfSecret(id));
    const endpoint = { id, merchantId: input.merchantId, url, events, sealedSecret };
    return this.dataSource.transaction(async (tx) => {
      const created = await this.endpoints.insertUpTo(tx, MAX_ENDPOINTS_PER_MERCHANT, endpoint);
      if (!created) throw tooManyWebhookEndpoints(MAX_ENDPOINTS_PER_MERCHANT);
      await record(tx, by, { merchantId: input.merchantId, endpointId: id }, 'created', {
        url,
        events: events.join(', '),
      });
      return { endpoint: viewOf(created), secret };
    });
  }

  /** Oldest first. */
  async listEndpoints(merchantId: string): Promise<WebhookEndpointView[]> {
    return (await this.endpoints.list(merchantId)).map(viewOf);
  }

  /** Those that fail now, or were disabled by us: a person's own decision is no trouble. */
  troubles(merchantId: string): Promise<EndpointTrouble[]> {
    return this.endpoints.troubles(merchantId);
  }

  /** @throws DomainError `webhook-endpoint-not-found` */
  async getEndpoint(ref: EndpointRef): Promise<WebhookEndpointView> {
    const found = await this.endpoints.find(ref);
    if (!found) throw webhookEndpointNotFound();
    return viewOf(found);
  }

  /** Of every endpoint of a merchant, in the order of `listEndpoints`. */
  health(merchantId: string): Promise<EndpointHealth[]> {
    return this.endpoints.health(merchantId);
  }

  /**
   * What is under way still goes to the old URL, every later attempt to the new one.
   * @throws DomainError `webhook-endpoint-not-found`, `invalid-webhook-url`
   */
  async changeUrl(ref: EndpointRef, url: string, by: By): Promise<void> {
    const { url: from } = await this.getEndpoint(ref);
    const to = await this.vetting.vet(url);
    await this.change(ref, by, 'url-changed', (tx) => this.endpoints.replaceUrl(tx, ref, to), { from, to });
  }

  /**
   * Of later events it gets what it asks for now; what was written before is still sent.
   * @throws DomainError `webhook-endpoint-not-found`, `invalid-webhook-events`
   */
  async changeEvents(ref: EndpointRef, events: readonly string[], by: By): Promise<void> {
    const known = readEvents(events);
    const detail = { events: known.join(', ') };
    await this.change(
      ref,
      by,
      'events-changed',
      (tx) => this.endpoints.replaceEvents(tx, ref, known),
      detail,
    );
  }

  /**
   * Deliveries carry both signatures for 24 hours. Rotating again within that time ends the oldest secret at once.
   * @throws DomainError `webhook-endpoint-not-found`
   */
  async rotateSecret(ref: EndpointRef, by: By): Promise<{ secret: string }> {
    const { url } = await this.getEndpoint(ref);
    const secret = newSecret();
    const sealed = this.secretBox.seal(secret, placeOfSecret(ref.endpointId));
    const replace = (tx: EntityManager) => this.endpoints.replaceSecret(tx, ref, sealed);
    await this.change(ref, by, 'secret-rotated', replace, { url });
    return { secret };
  }

  /** What has not been sent to it never will be. @throws DomainError `webhook-endpoint-not-found` */
  async deleteEndpoint(ref: EndpointRef, by: By): Promise<void> {
    const { url } = await this.getEndpoint(ref);
    const remove = async (tx: EntityManager) => {
      const found = await this.endpoints.delete(tx, ref);
      await this.notices.withdraw(tx, ref);
      return found;
    };
    await this.change(ref, by, 'deleted', remove, { url });
  }

  /** Later events are held for it. Of one that is disabled nothing changes. @throws DomainError `webhook-endpoint-not-found` */
  async disable(ref: EndpointRef, by: By): Promise<void> {
    await this.switch(ref, by, 'disabled', (tx) => this.endpoints.disable(tx, ref));
  }

  /**
   * Of one that is enabled nothing changes.
   * @param sendHeld sends what was held meanwhile, with a fresh schedule; otherwise it is given up (`failed`)
   * @throws DomainError `webhook-endpoint-not-found`
   */
  async enable(ref: EndpointRef, { sendHeld }: { sendHeld: boolean }, by: By): Promise<void> {
    const enable = async (tx: EntityManager) => {
      await this.endpoints.enable(tx, ref, sendHeld);
      await this.notices.withdraw(tx, ref);
    };
    await this.switch(ref, by, 'enabled', enable, { sendHeld });
    this.outbox.wake();
  }

  /**
   * For the operator's command line, which names an endpoint alone.
   * @throws DomainError `webhook-endpoint-not-found`
   */
  async ownerOf(endpointId: string): Promise<string> {
    const owner = await this.endpoints.ownerOf(endpointId);
    if (owner === null) throw webhookEndpointNotFound();
    return owner;
  }

  backlog(): Promise<WebhookBacklog> {
    return this.endpoints.backlog();
  }

  /** What is so already leaves no entry. */
  private switch(
    ref: EndpointRef,
    by: By,
    to: 'enabled' | 'disabled',
    make: (tx: EntityManager) => Promise<unknown>,
    detail: Detail = {},
  ): Promise<void> {
    return this.dataSource.transaction(async (tx) => {
      const is = await this.endpoints.lockState(tx, ref);
      if (is === null) throw webhookEndpointNotFound();
      if (is === to) return;
      await make(tx);
      await record(tx, by, ref, to, detail);
    });
  }

  private change(
    ref: EndpointRef,
    by: By,
    verb: WebhookVerb,
    make: (tx: EntityManager) => Promise<boolean>,
    detail: Detail = {},
  ): Promise<void> {
    return this.dataSource.transaction(async (tx) => {
      if (!(await make(tx))) throw webhookEndpointNotFound();
      await record(tx, by, ref, verb, detail);
    });
  }
}

type Detail = Readonly<Record<string, unknown>>;

/** @param verb "disabled", for `webhook.disabled` */
function record(
  tx: EntityManager,
  by: By,
  { merchantId, endpointId: subject }: EndpointRef,
  verb: WebhookVerb,
  detail: Detail,
): Promise<void> {
  return by.record(tx, { merchantId, action: `webhook.${verb}`, subject, detail });
}

/** In the order of `ENDPOINT_EVENTS`, each once. */
function readEvents(names: readonly string[]): EndpointEvent[] {
  const isKnown = (name: string) => ENDPOINT_EVENTS.some((event) => event === name);
  if (names.length === 0 || !names.every(isKnown)) throw invalidWebhookEvents(ENDPOINT_EVENTS);
  return ENDPOINT_EVENTS.filter((event) => names.includes(event));
}

function viewOf({
  id,
  url,
  events,
  disabledAt,
  disabledReason,
  createdAt,
}: WebhookEndpointEntity): WebhookEndpointView {
  return { id, url, events, disabledAt, disabledReason, createdAt };
}
