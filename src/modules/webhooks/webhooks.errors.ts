import { DomainError, notFound } from '../../kernel/domain-error.js';

/** @param reason the end of a sentence ("must use https") */
export function invalidWebhookUrl(reason: string): DomainError {
  return new DomainError('invalid', 'invalid-webhook-url', `The webhook URL ${reason}.`, {
    errors: [{ pointer: '/url', code: 'invalid_url', detail: `The webhook URL ${reason}.` }],
  });
}

export function invalidWebhookEvents(known: readonly string[]): DomainError {
  const detail = `An endpoint asks for at least one of ${known.join(', ')}, and for nothing else.`;
  return new DomainError('invalid', 'invalid-webhook-events', detail, {
    errors: [{ pointer: '/events', code: 'invalid_events', detail }],
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
  return notFound('There is no such webhook endpoint.', 'webhook-endpoint-not-found');
}

export function webhookDeliveryNotFound(): DomainError {
  return notFound('There is no such webhook delivery.', 'webhook-delivery-not-found');
}

/** @param reason a sentence that says what to do about it */
export function webhookNotRedelivered(reason: string): DomainError {
  return new DomainError('conflict', 'webhook-not-redelivered', reason);
}

export function webhookTestUnderWay(): DomainError {
  return new DomainError('conflict', 'webhook-test-under-way', 'A test of this endpoint is under way.');
}
