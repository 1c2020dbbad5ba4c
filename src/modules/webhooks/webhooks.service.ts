import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { newId } from '../../kernel/ids.js';
import { newSecret } from '../../kernel/webhook-signature.js';
import { SecretBox } from '../../platform/secret-box.js';
import { EndpointRepository } from './data/endpoint.repository.js';
import type { WebhookEndpoint } from './data/webhook-endpoint.entity.js';
import { EndpointVetting } from './delivery/endpoint-vetting.js';
import { DisableNotices } from './disable-notices.js';
import { placeOfSecret } from './endpoint-secret.js';
import { OutboxService } from './outbox.service.js';
import { tooManyWebhookEndpoints, webhookEndpointNotFound } from './webhooks.errors.js';
import type { EndpointRef, EndpointTrouble, WebhookBacklog, WebhookEndpointView } from './webhooks.types.js';

export const MAX_ENDPOINTS_PER_MERCHANT = 10;

/** Endpoints as their merchant manages them. Another merchant's endpoint is one that does not exist. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly endpoints: EndpointRepository,
    private readonly vetting: EndpointVetting,
    private readonly outbox: OutboxService,
    private readonly secretBox: SecretBox,
    private readonly notices: DisableNotices,
  ) {}

  /**
   * Creates an endpoint for all later events of an existing merchant; nothing is sent to it now. The secret is shown
   * here and never again.
   * @throws DomainError `invalid-webhook-url`, `too-many-webhook-endpoints`
   */
  async createEndpoint(input: {
    merchantId: string;
    url: string;
  }): Promise<{ endpoint: WebhookEndpointView; secret: string }> {
    const url = await this.vetting.vet(input.url);
    const id = newId('we');
    const secret = newSecret();
    const sealedSecret = this.secretBox.seal(secret, placeOfSecret(id));
    const created = await this.endpoints.insertUpTo(MAX_ENDPOINTS_PER_MERCHANT, {
      id,
      merchantId: input.merchantId,
      url,
      sealedSecret,
    });
    if (!created) throw tooManyWebhookEndpoints(MAX_ENDPOINTS_PER_MERCHANT);
    return { endpoint: viewOf(created), secret };
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

  /**
   * What is under way still goes to the old URL, every later attempt to the new one.
   * @throws DomainError `webhook-endpoint-not-found`, `invalid-webhook-url`
   */
  async changeUrl(ref: EndpointRef, url: string): Promise<void> {
    this.found(await this.endpoints.replaceUrl(ref, await this.vetting.vet(url)));
  }

  /**
   * Deliveries carry both signatures for 24 hours. Rotating again within that time ends the oldest secret at once.
   * @throws DomainError `webhook-endpoint-not-found`
   */
  async rotateSecret(ref: EndpointRef): Promise<{ secret: string }> {
    const secret = newSecret();
    const sealed = this.secretBox.seal(secret, placeOfSecret(ref.endpointId));
    this.found(await this.endpoints.replaceSecret(ref, sealed));
    return { secret };
  }

  /** What has not been sent to it never will be. @throws DomainError `webhook-endpoint-not-found` */
  async deleteEndpoint(ref: EndpointRef): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      this.found(await this.endpoints.delete(tx, ref));
      await this.notices.withdraw(tx, ref);
    });
  }

  /** Later events are held for it. @throws DomainError `webhook-endpoint-not-found` */
  async disable(ref: EndpointRef): Promise<void> {
    this.found(await this.endpoints.disable(ref));
  }

  /**
   * @param sendHeld sends what was held meanwhile, with a fresh schedule; otherwise it is given up (`failed`)
   * @throws DomainError `webhook-endpoint-not-found`
   */
  async enable(ref: EndpointRef, { sendHeld }: { sendHeld: boolean }): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      this.found(await this.endpoints.enable(tx, ref, sendHeld));
      await this.notices.withdraw(tx, ref);
    });
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

  private found(found: boolean): void {
    if (!found) throw webhookEndpointNotFound();
  }
}

function viewOf({ id, url, disabledAt, disabledReason, createdAt }: WebhookEndpoint): WebhookEndpointView {
  return { id, url, disabledAt, disabledReason, createdAt };
}
