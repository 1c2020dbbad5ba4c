import type { DomainError } from '../../../kernel/domain-error.js';
import { ownValue } from '../../../kernel/lookups.js';
import type { Flaws } from '../../../platform/pages/forms/refusal.js';

/** The field that all is about; or what fields are called in the form where an error has another name for them. */
export type Fields = string | Readonly<Record<string, string>>;

/**
 * Having to wait is nobody's field.
 * @param told into the reader's language
 */
export function flawsOf(
  { kind, message, details }: DomainError,
  fields: Fields = {},
  told: (english: string) => string = String,
): Flaws {
  const errors = details.errors ?? [];
  if (kind === 'throttled') return {};
  if (errors.length === 0) return typeof fields === 'string' ? { [fields]: told(message) } : {};
  const flaws: Record<string, string> = {};
  for (const { pointer = '/', detail } of errors) {
    const name = nameIn(fields, pointer.slice(1));
    flaws[name] = name in flaws ? `${flaws[name]} ${told(detail)}` : told(detail);
  }
  return flaws;
}

function nameIn(fields: Fields, name: string): string {
  if (typeof fields === 'string') return fields;
  return ownValue(fields, name) ?? name;
}
