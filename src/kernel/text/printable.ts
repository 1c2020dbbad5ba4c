/** Every control, format, unassigned or private character but tab and line feed: PostgreSQL refuses NUL, and
 * bidirectional overrides would lie to whoever reads the log. */
const UNPRINTABLE = /[^\P{C}\t\n]/gu;
const REPLACEMENT = '\uFFFD';
const BEYOND_ASCII = /[^ -~]/g;

/**
 * The beginning of a stranger's text as text that can be stored and shown. Cut before it is looked through, because a
 * stranger's text may have megabytes.
 */
export function printableText(text: string, mostChars: number): string {
  return text.slice(0, mostChars).replaceAll('\r\n', '\n').replace(UNPRINTABLE, REPLACEMENT);
}

/** The same as one line of plain ASCII, for what others call their things. */
export function printableLine(text: string, mostChars: number): string {
  return text.slice(0, mostChars).replace(BEYOND_ASCII, '?');
}
