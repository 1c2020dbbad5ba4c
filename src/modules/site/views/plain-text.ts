/** Descriptions are Markdown in the contract and in problem documents; the pages show them as text. */
export function plainText(markdown: string): string {
  return markdown.replaceAll('`', '');
}
