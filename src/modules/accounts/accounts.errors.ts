import { DomainError } from '../../kernel/domain-error.js';

/** What was proved, or the session in which it was, is no good any more: somebody else was quicker. */
export class AccountChanged extends DomainError {
  constructor() {
    super('conflict', 'conflict', 'This account was changed or signed out meanwhile. Sign in again.');
  }
}

/** What they are to the merchant, or to the instance, does not allow it, or not any more. */
export class NotPermitted extends DomainError {
  constructor() {
    super('forbidden', 'not-permitted', 'Your role does not allow this.');
  }
}

/** What awaited its first code ended with the cookie before, by a proof of identity or another password. */
export class SetupEnded extends DomainError {
  constructor() {
    super(
      'conflict',
      'conflict',
      'What you began to set up in your authenticator app has ended. Remove it there and begin again.',
    );
  }
}

/** There was no place to look at a password in. Says nothing of whether it was right. */
export class NoPlace extends DomainError {
  constructor() {
    super('unavailable', 'unavailable', 'Too many sign-ins at once.', { headers: { 'Retry-After': '5' } });
  }
}
