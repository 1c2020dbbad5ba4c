import { DomainError, notFound } from '../../kernel/domain-error.js';
import type { Place } from './treasury.types.js';

/** @param known the networks that are, with their assets */
export function notCollectible({ network, asset }: Place, known: readonly string[]): DomainError {
  const what = `${asset === undefined ? '' : ` of ${asset}`}${network === undefined ? '' : ` on ${network}`}`;
  return notFound(
    `Nothing is collected${what}: only assets of EVM networks of this instance are. It has ${known.join('; ') || 'none'}.`,
  );
}
