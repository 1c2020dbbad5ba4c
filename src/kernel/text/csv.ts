/**
 * What a spreadsheet would run instead of show, wherever the text came from: a sign, in any of the widths that it reads
 * as that sign, behind whatever it drops or does not see. Also where a cell begins for one that separates by semicolons
 * or tabs, which most of Europe's do, and reads our line otherwise than we wrote it.
 */
const FORMULA =
  /(?<=^|[;\t\r\n])(?=[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋−])/gu;
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * One line of RFC 4180, line end included. What a spreadsheet would take for a formula gets a quote mark in
 * front; plain numbers stay as they are.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  const text = String(value);
  const safe = PLAIN_NUMBER.test(text) ? text : text.replaceAll(FORMULA, "'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
