import { type Command, InvalidArgumentError } from 'commander';
import { messageOf } from '../kernel/error-fields.js';
import { record, table } from './text/table.js';

/** Values that JSON can hold: a bigint has to be written as text by whoever knows its unit. */
export type Printable<Result> = Result extends bigint
  ? never
  : unknown extends Result
    ? Result
    : Result extends Date
      ? Result
      : { readonly [Key in keyof Result]: Printable<Result[Key]> };

/**
 * Prints for a program (`--json`) or for a person: in the words of `say`, or one field a line and a table for lists.
 */
export function print<Result extends object | readonly object[]>(
  command: Command,
  result: Result & Printable<Result>,
  say: (result: Result) => string = forPeople,
): void {
  const { json } = command.optsWithGlobals<{ json?: boolean }>();
  process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : say(result));
}

/** One field a line, and a list as a table. */
export function forPeople(result: object | readonly object[]): string {
  return isList(result) ? table(result) : record(result);
}

function isList(result: object | readonly object[]): result is readonly object[] {
  return Array.isArray(result);
}

/** Failures go to standard error, with exit status 1. */
export function fail(error: unknown): void {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}

/** Reads an option: ISO 8601, as every time in the API. */
export function time(text: string): Date {
  const at = new Date(text);
  if (Number.isNaN(at.getTime()) || !/^\d{4}-\d\d-\d\d/.test(text)) {
    throw new InvalidArgumentError('Give a time such as 2026-11-21T08:00:00Z.');
  }
  return at;
}

/** Reads an option: so many of something. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 0 to 999999.');
  return Number(text);
}

/** Reads an option: names with commas between them, each once. An empty one is left for whoever knows the names to refuse. */
export function list(text: string): string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))];
}
