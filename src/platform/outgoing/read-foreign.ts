import { z } from 'zod';
import { judgedOf, MOST_PROBLEMS, noteIssue, tooDeep, words } from '../../kernel/foreign-json.js';
import { inTurn } from '../turns.js';

const MOST_CHARS = 400;
/** Some tenths of a millisecond. */
const ENTRIES_BETWEEN_PAUSES = 64;

interface ListLimits {
  /** Whether such lists stand in the entries too; those without are read twice as fast. */
  readonly hasLists?: boolean | undefined;
  /** A longer one is none, and nothing of it is read. */
  readonly most?: number | undefined;
}

/**
 * Foreign JSON as its schema says that it is; the lists of it (`listOf`) are read in turns with others.
 * @param refuse the caller's kind of error, of everything that is wrong at once: each by its path and by what is expected
 *   there. What stands there is never repeated, because it may be secret.
 */
export async function readForeign<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  refuse: (problems: string) => Error,
): Promise<z.output<Schema>> {
  const read = await schema.safeParseAsync(value, { error: words }).then(judgedOf, tooDeep);
  if ('value' in read) return read.value;
  const told = read.problems.slice(0, MOST_PROBLEMS).join('; ').slice(0, MOST_CHARS);
  throw refuse(read.problems.length > MOST_PROBLEMS ? `${told}; and more` : told);
}

/**
 * A list of which no more is read once so much of it is wrong: unlike `z.array`, which notes the problems of all entries.
 * However long it is, others have their turn of the event loop meanwhile. Only `readForeign` reads it.
 */
export function listOf<Item extends z.ZodType>(
  item: Item,
  { hasLists = false, most = Infinity }: ListLimits = {},
) {
  const entries = z
    .array(z.unknown())
    .refine(({ length }) => length <= most, `has more than ${most} entries`);
  return entries.transform(async (entries, context) => {
    const read: z.output<Item>[] = [];
    // Each level of lists in lists on a stack of its own.
    if (hasLists) await Promise.resolve();
    for (let i = 0; i < entries.length && context.issues.length < MOST_PROBLEMS; i += 1) {
      if (i % ENTRIES_BETWEEN_PAUSES === ENTRIES_BETWEEN_PAUSES - 1) await inTurn();
      const asked = { error: words };
      const entry = hasLists
        ? await item.safeParseAsync(entries[i], asked)
        : item.safeParse(entries[i], asked);
      if (entry.success) read.push(entry.data);
      else for (const issue of entry.error.issues) noteIssue(context.issues, i, issue);
    }
    return read;
  });
}
