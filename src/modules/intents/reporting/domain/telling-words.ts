/** An index of trigrams knows nothing of less. */
const WORD = /[\p{L}\p{N}]{3,}/gu;
const NUMBER = /\p{N}{3,}/gu;

/** By which words of a search an index finds little: its numbers, or else all that it has. */
export function tellingWords(search: string): string[] {
  return search.match(NUMBER) ?? search.match(WORD) ?? [];
}
