import { DomainError } from '../../kernel/domain-error.js';

/** Also for what belongs to another merchant. */
export function intentNotFound(): DomainError {
  return new DomainError('not_found', 'intent-not-found', 'There is no such payment intent.');
}
