/** Descriptions are Markdown in the contract and in problem documents; the pages show them as text. */
export function withoutMarkdown(markdown: string): string {
  return markdown.replaceAll('`', '');
}
