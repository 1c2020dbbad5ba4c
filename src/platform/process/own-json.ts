import { existsSync, readFileSync } from 'node:fs';
import type { z } from 'zod';
import { judgeForeign } from '../../kernel/foreign-json.js';

/** What a file that an earlier start wrote holds; `null` where there is none, and where it is of another version or half-written. */
export function readOwnJson<Schema extends z.ZodType>(path: string, schema: Schema): z.output<Schema> | null {
  if (!existsSync(path)) return null;
  const read = judgeForeign(schema, parsed(readFileSync(path, 'utf8')));
  return 'value' in read ? read.value : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
