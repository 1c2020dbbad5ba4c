/**
 * The parts of a header between commas or semicolons; what stands within a quoted string (RFC 9110, 5.6.4) separates
 * nothing. The parsers that others use drop what they do not understand, where a media type of ours has to be refused.
 */
export function partsOf(header: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let [part, isQuoted, isEscaped] = ['', false, false];
  for (const char of header) {
    if (char === separator && !isQuoted) {
      parts.push(part);
      part = '';
      continue;
    }
    part += char;
    if (char === '"' && !isEscaped) isQuoted = !isQuoted;
    isEscaped = isQuoted && char === '\\' && !isEscaped;
  }
  return [...parts, part];
}

/** What a quoted string, or a word without quotes, says. */
export function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text;
}
