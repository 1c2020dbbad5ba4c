/** How many characters a text has, as PostgreSQL's `char_length` and the contract count them: one beyond U+FFFF is one and not two. */
export function characterCount(text: string): number {
  return [...text].length;
}
