/**
 * A number as somebody typed it. Whoever takes it as a setting refuses `unreadable` like a number out of its range: in its
 * own words, beside whatever else is wrong.
 */
export type TypedNumber = number | 'unreadable';

/** As `Number` reads it: "1e3" is a thousand, blanks around it are nothing. */
export function typedNumber(text: string): TypedNumber {
  const read = Number(text);
  return Number.isNaN(read) ? 'unreadable' : read;
}
