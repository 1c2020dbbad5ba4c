import { DomainError } from '../../kernel/domain-error.js';

/** There was no place to look at a password in. Says nothing of whether it was right. */
export class NoPlace extends DomainError {
  constructor() {
    super('unavailable', 'unavailable', 'Too many sign-ins at once.', { headers: { 'Retry-After': '5' } });
  }
}
