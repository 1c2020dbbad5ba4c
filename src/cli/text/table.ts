import { fieldsOf } from '../../kernel/error-fields.js';
import { entryAt } from '../../kernel/lookups.js';

/** Two columns of a list, or the name and the value of a field. */
const GAP = '  ';

/** Rows under headings, one line each; `none` when there are none. */
export function table(rows: readonly object[]): string {
  if (rows.length === 0) return 'none\n';
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [
    fields.map(heading),
    ...rows.map((row) => fields.map((field) => cell(fieldsOf(row)[field]))),
  ];
  const widths = fields.map((_, column) => Math.max(...lines.map((line) => entryAt(line, column).length)));
  return lines
    .map(
      (line) =>
        line
          .map((text, column) => text.padEnd(entryAt(widths, column)))
          .join(GAP)
          .trimEnd() + '\n',
    )
    .join('');
}

/** One field a line. */
export function record(fields: object): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}${GAP}${cell(value)}\n`)
    .join('');
}

/** `createdAt` is "CREATED AT". */
function heading(field: string): string {
  return field.replace(/([a-z])([A-Z])/g, '$1 $2').toUpperCase();
}

/** For eyes: no JSON, and nothing that would break the line. */
function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cell).join(', ');
  if (typeof value === 'object') {
    const parts = Object.entries(value).map(([name, part]) => `${name} ${cell(part)}`);
    return parts.length === 0 ? '-' : parts.join('; ');
  }
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- objects are above
  return String(value).replace(/\s+/g, ' ');
}
