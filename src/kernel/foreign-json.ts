import { z } from 'zod';

/** Enough to see what is wrong: an answer of millions of wrong entries must not become as many sentences. */
const MOST_PROBLEMS = 10;
const MOST_CHARS = 400;
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

/**
 * Foreign JSON as its schema says that it is.
 * @param refuse the caller's kind of error, of everything that is wrong at once: each by its path and by what is expected
 *   there. What stands there is never repeated, because it may be secret.
 */
export function readForeign<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  refuse: (problems: string) => Error,
): z.output<Schema> {
  const read = judgeForeign(schema, value);
  if ('value' in read) return read.value;
  const told = read.problems.slice(0, MOST_PROBLEMS).join('; ').slice(0, MOST_CHARS);
  throw refuse(read.problems.length > MOST_PROBLEMS ? `${told}; and more` : told);
}

/** As `readForeign`, for a caller that has problems of other places to tell besides. */
export function judgeForeign<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { readonly value: z.output<Schema> } | { readonly problems: readonly string[] } {
  try {
    const read = schema.safeParse(value, { error: words });
    if (read.success) return { value: read.data };
    return { problems: read.error.issues.map(problem) };
  } catch (error) {
    if (error instanceof RangeError) return { problems: ['is nested too deeply'] };
    throw error;
  }
}

/** A list of which no more is read once so much of it is wrong: unlike `z.array`, which notes the problems of all entries. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.array(z.unknown()).transform((entries, context) => {
    const read: z.output<Item>[] = [];
    for (let i = 0; i < entries.length && context.issues.length < MOST_PROBLEMS; i += 1) {
      const entry = item.safeParse(entries[i], { error: words });
      if (entry.success) read.push(entry.data);
      else for (const issue of entry.error.issues) noteIssue(context.issues, i, issue);
    }
    return read;
  });
}

/** A list of plain values, all of which are as they should be or it is none; the cheapest to read. */
export function listOfAll<Item>(isItem: (entry: unknown) => entry is Item, words: string) {
  return z.custom<Item[]>((value) => Array.isArray(value) && value.every(isItem), words);
}

/** A text that matches; said in the words of whoever asks. */
export function textLike<Text extends string = string>(pattern: RegExp, words: string) {
  return z.custom<Text>((value) => typeof value === 'string' && pattern.test(value), words);
}

function noteIssue(issues: z.core.$ZodRawIssue[], index: number, issue: z.core.$ZodIssue): void {
  issues.push({ code: 'custom', message: issue.message, path: [index, ...issue.path], input: undefined });
}

function problem({ path, message }: z.core.$ZodIssue): string {
  const place = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${nameOf(part)}`)).join('');
  return place === '' ? message : `${place.replace(/^\./, '')} ${message}`;
}

function nameOf(part: PropertyKey): string {
  return String(part)
    .replace(/[^ -~]/g, '?')
    .slice(0, MOST_NAME_CHARS);
}

/** What a schema does not say in its own words. */
function words(issue: z.core.$ZodRawIssue): string {
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
