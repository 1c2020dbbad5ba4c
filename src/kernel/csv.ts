/** What a spreadsheet would run instead of show, wherever the text came from. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * One line of RFC 4180, line end included. A cell that a spreadsheet would take for a formula gets a quote mark in
 * front; plain numbers stay as they are.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  const text = String(value);
  const safe = FORMULA.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
