import type { z } from 'zod';
import { readForeign } from '../../../kernel/foreign-json.js';
import { InconsistentNode } from '../node.errors.js';

/** The last second of year 9999: PostgreSQL and JavaScript both write dates up to there in four digits. */
export const LAST_SECOND = 253_402_300_799;

/** @throws InconsistentNode for a block that stands somewhere else than where it was asked for */
export function blockAt<Block extends { readonly height: number }>(height: number, block: Block): Block {
  if (block.height !== height)
    throw new InconsistentNode(`the node answered block ${block.height} for block ${height}`);
  return block;
}

/** @throws InconsistentNode for an answer that is not what the protocol says: the look has failed, and moves nothing */
export function nodeAnswer<Schema extends z.ZodType>(
  schema: Schema,
  method: string,
  answer: unknown,
): z.output<Schema> {
  return readForeign(
    schema,
    answer,
    (problems) => new InconsistentNode(`the node's answer to ${method} is none: ${problems}`),
  );
}
