import { only } from '../../kernel/lookups.js';
import { AnswerTooLarge } from './answer-limit.js';

/** `JSON.parse` takes less than a millisecond for so much, whatever it is. */
export const PIECE_BYTES = 64 * 1024;
/** Of one text, a name of a field too: a transaction's data in hexadecimal is some megabytes at most. */
const MOST_TEXT_BYTES = 16 * 1024 * 1024;
/** Of an object, which is made, and gone through, in one go. The longest honest one lists the markets of an exchange. */
const MOST_FIELDS = 10_000;

const [QUOTE, ESCAPE, COMMA, LIST, LIST_END, OBJECT, OBJECT_END] = Buffer.from('"\\,[]{}');
const BLANK = /^[ \t\r\n]*$/;

/** What an honest answer keeps to: three bytes (`{},`) may become an object of sixty. */
export interface JsonLimits {
  readonly values: number;
  readonly levels: number;
  /** Of one text, where less than a node's is honest. */
  readonly textBytes?: number;
}

/** A list or an object that has not ended yet. */
interface Level {
  readonly isObject: boolean;
  /** Behind its bracket. */
  readonly start: number;
  /** Where what is not parsed yet begins, and the last member of it. */
  run: number;
  member: number;
  commas: number;
  /** What is parsed: values, or pairs of key and value. */
  readonly parsed: unknown[];
  /** The last member stands in `parsed`: up to the next comma nothing may come. */
  isBehindValue: boolean;
}

const levelAt = (isObject: boolean, start: number): Level => ({
  isObject,
  start,
  run: start,
  member: start,
  commas: 0,
  parsed: [],
  isBehindValue: false,
});

/**
 * As `JSON.parse` reads it, in pieces between which it yields: whole members of lists and objects, about `PIECE_BYTES` of
 * them at a time. Only a text may be longer, one without escapes, which cost ten times as much.
 * @param parse of a piece, which is JSON too
 * @throws SyntaxError as `JSON.parse` does
 * @throws AnswerTooLarge for more values, levels, fields or text than an honest answer has
 */
export function* parseInPieces(
  json: Buffer,
  limits: JsonLimits,
  parse: (text: string) => unknown,
): Generator<void, unknown> {
  let level = levelAt(false, 0);
  const levels = [level];
  const { textBytes = MOST_TEXT_BYTES } = limits;
  let values = 0;
  let pauseAt = PIECE_BYTES;
  let plainFrom = 0;
  for (let i = 0; i < json.length; i += 1) {
    if (i >= pauseAt) {
      if (i - plainFrom > PIECE_BYTES) throw new AnswerTooLarge('blanks or digits without end');
      pauseAt = i + PIECE_BYTES;
      yield;
    }
    const byte = json[i];
    if (byte === QUOTE) {
      i = endOfText(json, i, textBytes);
    } else if (byte === COMMA) {
      if (level.isBehindValue || i - level.run >= PIECE_BYTES) parseRun(json, level, i, parse);
      level.member = i + 1;
      level.commas += 1;
      if (level.isObject && level.commas >= MOST_FIELDS) throw new AnswerTooLarge('too many fields');
      values += 1;
    } else if (byte === LIST || byte === OBJECT) {
      level = levelAt(byte === OBJECT, i + 1);
      if (levels.push(level) > limits.levels) throw new AnswerTooLarge('too many levels');
      values += 1;
    } else if (byte === LIST_END || byte === OBJECT_END) {
      const ended = levels.pop();
      const above = levels.at(-1);
      if (!ended || !above || ended.isObject !== (byte === OBJECT_END)) throw unexpected(i);
      level = above;
      if (ended.parsed.length > 0 || i - ended.start > PIECE_BYTES) {
        const value = valueOf(json, ended, i, parse);
        if (level.isBehindValue) throw unexpected(i);
        if (level.member > level.run) parseRun(json, level, level.member - 1, parse);
        const before = json.toString('utf8', level.member, ended.start - 1);
        if (level.isObject) level.parsed.push([keyIn(before), value]);
        else if (BLANK.test(before)) level.parsed.push(value);
        else throw unexpected(level.member);
        level.run = i + 1;
        level.isBehindValue = true;
      }
    } else {
      continue;
    }
    if (values > limits.values) throw new AnswerTooLarge('too many values');
    plainFrom = i + 1;
  }
  if (levels.length > 1) throw new SyntaxError('it ends too early');
  const whole = valueOf(json, level, json.length, parse) as unknown[];
  if (whole.length !== 1) throw new SyntaxError('it is not one value');
  return whole[0];
}

/** @returns where its last quote stands */
function endOfText(json: Buffer, start: number, mostBytes: number): number {
  let end = start + mostBytes;
  for (let i = start + 1; i < json.length; i += 1) {
    if (json[i] === QUOTE) return i;
    if (json[i] === ESCAPE) {
      end = start + Math.min(mostBytes, PIECE_BYTES);
      i += 1;
    }
    if (i > end) throw new AnswerTooLarge('a text is too long');
  }
  throw new SyntaxError('a text does not end');
}

function valueOf(json: Buffer, level: Level, end: number, parse: (text: string) => unknown): unknown {
  parseRun(json, level, end, parse);
  return level.isObject ? Object.fromEntries(level.parsed as [string, unknown][]) : level.parsed;
}

/** What is not parsed yet of a level, up to a comma or its end. */
function parseRun(json: Buffer, level: Level, end: number, parse: (text: string) => unknown): void {
  const text = json.toString('utf8', level.run, end);
  // Nothing stands between a large value and its comma, something before and behind each comma.
  if (BLANK.test(text) !== level.isBehindValue) throw unexpected(level.run);
  if (!level.isBehindValue) {
    const members = parse(level.isObject ? `{${text}}` : `[${text}]`) as object;
    const parsed: unknown[] = level.isObject ? Object.entries(members) : (members as unknown[]);
    for (const member of parsed) level.parsed.push(member);
  }
  level.run = end + 1;
  level.isBehindValue = false;
}

function keyIn(text: string): string {
  return only(Object.keys(JSON.parse(`{${text}0}`) as object));
}

const unexpected = (at: number) => new SyntaxError(`something unexpected at ${at}`);
