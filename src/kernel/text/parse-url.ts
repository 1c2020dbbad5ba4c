/**
 * The URL of a text, or `null`. Not `URL.canParse`: in Node 20 it takes a text's Latin-1 bytes for UTF-8 once it has
 * been called often, and refuses `https://käse.example` from then on.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
