import type { z } from 'zod';
import { AnswerTooLarge } from '../../../platform/outgoing/answer-limit.js';
import { parseLargeJson } from '../../../platform/outgoing/large-json.js';
import { listOf, readForeign } from '../../../platform/outgoing/read-foreign.js';
import { inTurn } from '../../../platform/turns.js';
import { InconsistentNode } from '../node.errors.js';

/** The last second of year 9999: PostgreSQL and JavaScript both write dates up to there in four digits. */
export const LAST_SECOND = 253_402_300_799;

/** Of a block. Several times what the fullest have; with many more, going through them would keep everybody waiting. */
export const MOST_TRANSACTIONS = 50_000;

/** Of an error's message, and of what a contract said with it. */
export const MOST_ERROR_CHARS = 10_000;

const LIMITS = {
  /** An honest answer of the largest size has about three million. */
  values: 4_000_000,
  /** The calls of a transaction are at most 1,024 deep (two levels each), within an answer, within a batch. */
  levels: 2_500,
};

/** @throws InconsistentNode for a block that stands somewhere else than where it was asked for */
export function blockAt<Block extends { readonly height: number }>(height: number, block: Block): Block {
  if (block.height !== height)
    throw new InconsistentNode(`the node answered block ${block.height} for block ${height}`);
  return block;
}

/** Of an answer that may be long: everybody else has the process between its entries. */
export const nodeList = <Item extends z.ZodType>(item: Item, most?: number) => listOf(item, { most });
/** The same where the entries have such lists. */
export const nodeListOfLists = <Item extends z.ZodType>(item: Item, most?: number) =>
  listOf(item, { hasLists: true, most });

/** @throws InconsistentNode for an answer that is not what the protocol says: the look has failed, and moves nothing */
export async function nodeAnswer<Schema extends z.ZodType>(
  schema: Schema,
  method: string,
  answer: unknown,
): Promise<z.output<Schema>> {
  // Twenty long answers come in one batch.
  await inTurn();
  return readForeign(
    schema,
    answer,
    (problems) => new InconsistentNode(`the node's answer to ${method} is none: ${problems}`),
  );
}

/**
 * @param parse of a piece, which is JSON too
 * @throws InconsistentNode for more than is read of an answer
 * @throws SyntaxError
 */
export async function nodeJson(body: Buffer, parse?: (text: string) => unknown): Promise<unknown> {
  try {
    return await parseLargeJson(body, LIMITS, parse);
  } catch (error) {
    if (!(error instanceof AnswerTooLarge)) throw error;
    throw new InconsistentNode(`the node answered more than is read of an answer: ${error.message}`, {
      cause: error,
    });
  }
}
