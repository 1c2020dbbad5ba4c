import { DomainError } from '../../../kernel/domain-error.js';

/** The field that everything is about, or the fields of a form by what an error calls them. */
export type Fields = string | Readonly<Record<string, string>>;
export type Flaws = Readonly<Record<string, string>>;

/** What is said beside the fields of a form; `null` where something belongs to none of them, and stands above. */
export function flawsBeside({ message, details }: DomainError, fields: Fields): Flaws | null {
  if (typeof fields === 'string') return { [fields]: message };
  const errors = (details.errors ?? []).map(({ pointer = '/', detail }) => [
    fields[pointer.slice(1)],
    detail,
  ]);
  return errors.length > 0 && errors.every(([field]) => field !== undefined)
    ? (Object.fromEntries(errors) as Flaws)
    : null;
}

/** What is wrong with a field, by its name. */
export function flawsOf(error: unknown): Flaws {
  const errors = error instanceof DomainError ? (error.details.errors ?? []) : [];
  return Object.fromEntries(errors.map(({ pointer = '/', detail }) => [pointer.slice(1), detail]));
}
