import { Logger } from '@nestjs/common';
import type { AddressPolicy } from '../domain/address-policy.js';
import { bareHost, isAddressLiteral, judgeEndpointUrl } from '../domain/endpoint-url.js';
import { invalidWebhookUrl } from '../webhooks.errors.js';
import { type Resolve, resolveVetted } from './resolve.js';

/** What is checked when a URL is saved: the same as at each dial, so that a mistake shows while somebody looks. */
export class EndpointVetting {
  private readonly logger = new Logger('Webhooks');

  constructor(
    private readonly policy: AddressPolicy,
    private readonly resolve: Resolve,
  ) {}

  /** @returns the normalised URL. @throws DomainError `invalid-webhook-url` */
  async vet(text: string): Promise<string> {
    const verdict = judgeEndpointUrl(text, this.policy);
    if (!verdict.ok) throw invalidWebhookUrl(verdict.reason);
    if (!isAddressLiteral(verdict.url)) await this.vetName(verdict.url);
    return verdict.url.href;
  }

  private async vetName(url: URL): Promise<void> {
    try {
      await resolveVetted(bareHost(url), this.resolve, this.policy);
    } catch (error) {
      this.logger.warn({ err: error }, 'webhook URL refused');
      throw invalidWebhookUrl(
        url.protocol === 'https:'
          ? 'must have a host that resolves to public addresses only, at most 32 of them'
          : 'must use https; plain http is for this machine alone',
      );
    }
  }
}
