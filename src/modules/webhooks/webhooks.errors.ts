import { DomainError } from '../../kernel/domain-error.js';

/** @param reason the end of a sentence ("must use https") */
export function invalidWebhookUrl(reason: string): DomainError {
  return new DomainError('invalid', 'invalid-webhook-url', `The webhook URL ${reason}.`, {
    errors: [{ pointer: '/url', code: 'invalid_url', detail: `The webhook URL ${reason}.` }],
  });
}

export function tooManyWebhookEndpoints(limit: number): DomainError {
  return new DomainError(
    'conflict',
    'too-many-webhook-endpoints',
    `A merchant has at most ${limit} webhook endpoints. Delete one first.`,
  );
}

export function webhookEndpointNotFound(): DomainError {
  return new DomainError('not_found', 'webhook-endpoint-not-found', 'There is no such webhook endpoint.');
}
