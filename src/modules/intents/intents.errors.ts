import { DomainError, notFound } from '../../kernel/domain-error.js';

/** Also for what belongs to another merchant. */
export function intentNotFound(): DomainError {
  return notFound('There is no such payment intent.', 'intent-not-found');
}
