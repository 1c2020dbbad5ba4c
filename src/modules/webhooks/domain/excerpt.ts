/** How much of an answer is kept: enough for a stack trace's first lines, too little to store somebody's page. */
export const EXCERPT_BYTES = 1_024;

/** Every control, format, unassigned or private character but tab and line feed: PostgreSQL refuses NUL, and
 * bidirectional overrides would lie to whoever reads the log. */
const UNPRINTABLE = /[^\P{C}\t\n]/gu;
const REPLACEMENT = '\uFFFD';

/** The first 1 KiB of what a receiver sent as text that can be stored and shown, whatever the bytes were. */
export function excerptOf(bytes: Uint8Array): string {
  return printable(new TextDecoder('utf-8').decode(bytes.subarray(0, EXCERPT_BYTES)));
}

/** The same for text that came in a header. */
export function printable(text: string): string {
  return text.slice(0, EXCERPT_BYTES).replaceAll('\r\n', '\n').replace(UNPRINTABLE, REPLACEMENT);
}
