/**
 * What a spreadsheet would run instead of show, wherever the text came from: a sign, in any of the widths that it reads
 * as that sign, behind whatever it drops or does not see. Also where a cell begins for one that separates by semicolons
 * or tabs, which most of Europe's do, and reads our line otherwise than we wrote it: it drops quotes there, too.
 */
const FORMULA =
  /(?<=^|[;\t\r\n])(?=["\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋−])/gu;
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

type Cell = string | number | null;

/** The columns of an export of such rows, in order: each with its name and what it says of a row. */
export type CsvColumns<Row> = readonly (readonly [name: string, cell: (row: Row) => Cell])[];

/**
 * Lines of CSV, the names first, as the rows come: a download that is not read stops the reading. The names come with the first row:
 * what fails before is refused before there is any line.
 */
export async function* csvOf<Row>(
  columns: CsvColumns<Row>,
  rows: AsyncIterable<Row>,
): AsyncGenerator<string> {
  const names = csvLine(columns.map(([name]) => name));
  let isBegun = false;
  for await (const row of rows) {
    if (!isBegun) yield names;
    isBegun = true;
    yield csvLine(columns.map(([, cell]) => cell(row)));
  }
  if (!isBegun) yield names;
}

/**
 * One line of RFC 4180, line end included. What a spreadsheet would take for a formula gets an apostrophe in
 * front; plain numbers stay as they are, but for a negative one at the front of others: separated by semicolons, all of the
 * line is one cell.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map((cell, i) => csvCell(cell, i > 0 || cells.length === 1)).join(',')}\r\n`;
}

function csvCell(value: Cell, isNumberPlain: boolean): string {
  if (value === null) return '';
  const text = String(value);
  const safe = isNumberPlain && PLAIN_NUMBER.test(text) ? text : text.replaceAll(FORMULA, "'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
