/** Shorter words are likely to stand in a page by chance. */
const LEAST_LENGTH = 8;
/** Pages write times in their own way, and two merchants may have the same. */
const TIME = /^\d{4}-\d\d-\d\dT/;
const NUMBER = /^-?[\d.]+$/;

/**
 * What tells whose rows these are: every text in them (ids, names, addresses, transactions, traces, hashes of secrets) that
 * no row of the other merchant has. A table or a column that somebody adds is in it without their doing.
 * @param rows of a merchant, as `tenantRows` answers, and those of another with the same history
 * @returns as `toldIn` looks for them
 */
export function ownValues(
  rows: Readonly<Record<string, string>>,
  ofAnother: Readonly<Record<string, string>>,
): string[] {
  const others = comparable(Object.values(ofAnother).join('\n'));
  const texts = Object.values(rows).flatMap((text) => (text === 'none' ? [] : textsIn(JSON.parse(text))));
  const own = texts.filter((text) => !TIME.test(text) && !NUMBER.test(text)).map(comparable);
  return [...new Set(own)].filter((text) => text.length >= LEAST_LENGTH && !others.includes(text));
}

/** @returns those of the values that stand in the body of an answer, however it is written there */
export function toldIn(body: string, values: readonly string[]): string[] {
  const text = comparable(body);
  return values.filter((value) => text.includes(value));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Addresses are written in capitals as a checksum, and in calldata without their prefix; HTML has its own way with some signs. */
function comparable(text: string): string {
  return text
    .replaceAll(/&#x([0-9a-f]{2});/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replaceAll('&amp;', '&')
    .toLowerCase()
    .replaceAll(/(?:0|\\)x(?=[0-9a-f]{8})/g, '');
}
