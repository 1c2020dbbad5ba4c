import { printableText } from '../../../kernel/text/printable.js';

/** How much of an answer is kept: enough for a stack trace's first lines, too little to store somebody's page. */
export const EXCERPT_BYTES = 1_024;

/** The first 1 KiB of what a receiver sent as text that can be stored and shown, whatever the bytes were. */
export function excerptOf(bytes: Uint8Array): string {
  return printable(new TextDecoder('utf-8').decode(bytes.subarray(0, EXCERPT_BYTES)));
}

/** The same for text that came in a header. */
export function printable(text: string): string {
  return printableText(text, EXCERPT_BYTES);
}
