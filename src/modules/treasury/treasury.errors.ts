import { DomainError, notFound, wrongField } from '../../kernel/domain-error.js';
import type { Place } from './treasury.types.js';

/** @param known the networks that are, with their assets */
export function notCollectible({ network, asset }: Place, known: readonly string[]): DomainError {
  const what = `${asset === undefined ? '' : ` of ${asset}`}${network === undefined ? '' : ` on ${network}`}`;
  return notFound(
    `Nothing is collected${what}: only assets of EVM networks of this instance are. It has ${known.join('; ') || 'none'}.`,
  );
}

export function noPayment(text: string): DomainError {
  return wrongField('payments', `${text} is no payment's id: those are “pi_” and thirty characters.`);
}

/** What lies at an address that nothing is recorded of, its node alone can tell. */
export function untold(network: string): DomainError {
  return new DomainError(
    'unavailable',
    'network-unavailable',
    `The node of ${network} does not say what lies at the addresses of these payments. Try again.`,
  );
}
