import { inTurn } from '../turns.js';
import { type JsonLimits, parseInPieces } from './json-pieces.js';

/**
 * Foreign JSON of any size, parsed in turns of the event loop: half a second of it would keep everybody waiting for so long.
 * @param parse of a piece, which is JSON too
 * @throws SyntaxError, AnswerTooLarge
 */
export async function parseLargeJson(
  json: Buffer,
  limits: JsonLimits,
  parse: (text: string) => unknown = JSON.parse,
): Promise<unknown> {
  const pieces = parseInPieces(json, limits, parse);
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
    await inTurn();
  }
}
