import { type Command, InvalidArgumentError } from 'commander';

/**
 * Prints for a program (`--json`) or for a person: in the words of `say`, or one field a line and one row a line for
 * lists.
 */
export function print<Result extends object | readonly object[]>(
  command: Command,
  result: Result,
  say: (result: Result) => string = forPeople,
): void {
  const { json } = command.optsWithGlobals<{ json?: boolean }>();
  process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : say(result));
}

function forPeople(result: object | readonly object[]): string {
  if (!isList(result)) {
    const width = Math.max(...Object.keys(result).map((key) => key.length));
    return Object.entries(result)
      .map(([key, value]) => `${key.padEnd(width)}  ${text(value)}\n`)
      .join('');
  }
  if (result.length === 0) return 'none\n';
  return result.map((row) => `${Object.values(row).map(text).join('  ')}\n`).join('');
}

function isList(result: object | readonly object[]): result is readonly object[] {
  return Array.isArray(result);
}

function text(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Failures go to standard error, with exit status 1. */
export function fail(error: unknown): void {
  process.stderr.write(`${(error as Error).message}\n`);
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
