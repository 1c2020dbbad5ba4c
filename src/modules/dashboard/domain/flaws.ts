import { DomainError } from '../../../kernel/domain-error.js';

/** What is wrong with a field, by its name. */
export function flawsOf(error: unknown): Readonly<Record<string, string>> {
  const errors = error instanceof DomainError ? (error.details.errors ?? []) : [];
  return Object.fromEntries(errors.map(({ pointer = '/', detail }) => [pointer.slice(1), detail]));
}
