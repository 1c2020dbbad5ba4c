import { z } from 'zod';
import { printableLine } from './text/printable.js';

/** Enough to see what is wrong: an answer of millions of wrong entries must not become as many sentences. */
export const MOST_PROBLEMS = 10;
/** Of a name that is not ours. */
const MOST_NAME_CHARS = 40;
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

export type Judged<T> = { readonly value: T } | { readonly problems: readonly string[] };

/**
 * Foreign JSON as its schema says that it is, or everything that is wrong with it at once: each by its path and by what is
 * expected there. What stands there is never repeated, because it may be secret.
 */
export function judgeForeign<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Judged<z.output<Schema>> {
  try {
    return judgedOf(schema.safeParse(value, { error: words }));
  } catch (error) {
    return tooDeep(error);
  }
}

/** A list of plain values, all of which are as they should be or it is none; the cheapest to read. */
export function listOfAll<Item>(isItem: (entry: unknown) => entry is Item, words: string) {
  return z.custom<Item[]>((value) => Array.isArray(value) && value.every(isItem), words);
}

/** A text that matches; said in the words of whoever asks. */
export function textLike<Text extends string = string>(pattern: RegExp, words: string) {
  return z.custom<Text>((value) => typeof value === 'string' && pattern.test(value), words);
}

export function judgedOf<T>(read: z.ZodSafeParseResult<T>): Judged<T> {
  return read.success ? { value: read.data } : { problems: read.error.issues.map(problem) };
}

export function tooDeep(error: unknown): { readonly problems: readonly string[] } {
  if (error instanceof RangeError) return { problems: ['is nested too deeply'] };
  throw error;
}

export function noteIssue(issues: z.core.$ZodRawIssue[], index: number, issue: z.core.$ZodIssue): void {
  issues.push({ code: 'custom', message: issue.message, path: [index, ...issue.path], input: undefined });
}

function problem({ path, message }: z.core.$ZodIssue): string {
  const place = path
    .map((part) =>
      typeof part === 'number' ? `[${part}]` : `.${printableLine(String(part), MOST_NAME_CHARS)}`,
    )
    .join('');
  return place === '' ? message : `${place.replace(/^\./, '')} ${message}`;
}

/** What a schema does not say in its own words. */
export function words(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    case 'too_small':
      return `must be at least ${issue.minimum}`;
    default:
      return 'is not as it should be';
  }
}
