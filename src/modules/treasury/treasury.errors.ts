import { DomainError } from '../../kernel/domain-error.js';

export function notCollectible(network: string, asset: string): DomainError {
  return new DomainError(
    'not_found',
    'not-found',
    `Nothing is collected of ${asset} on ${network}: only assets of EVM networks of this instance are.`,
  );
}
