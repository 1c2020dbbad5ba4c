/** One line of the table: what we do, and the most that this machine would do in our place. */
export interface Row {
  readonly name: string;
  readonly unit: '/s' | 'ms' | 'kB' | 'requests';
  /** One value for each repeat. */
  readonly values: readonly number[];
  /** Nothing to compare with for a line that belongs to the one above it. */
  readonly ceiling: Ceiling | null;
}

export interface Ceiling {
  readonly what: string;
  readonly values: readonly number[];
  /** It stands beside ours to be read, and measures something else. */
  readonly hasRatio?: false;
}

export const HEADER = ['', 'Rappen', 'spread', 'ceiling', 'spread', 'ratio', 'the ceiling is'];

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Of what the ceiling does, how much we do: per second, or in the time that one takes. */
export function ratioOf({ unit, values, ceiling }: Row): number | null {
  if (!ceiling || ceiling.hasRatio === false) return null;
  const [ours, most] = [median(values), median(ceiling.values)];
  return unit === '/s' ? ours / most : most / ours;
}

export function cellsOf(row: Row): string[] {
  const { name, unit, values, ceiling } = row;
  const ratio = ratioOf(row);
  return [
    name,
    figure(median(values), unit),
    spread(values),
    ceiling ? figure(median(ceiling.values), unit) : '',
    ceiling ? spread(ceiling.values) : '',
    ratio === null ? '' : `${Math.round(ratio * 100)} %`,
    ceiling?.what ?? '',
  ];
}

/** As a Markdown table with aligned columns, so that it reads on a terminal and in docs/benchmarks.md. */
export function markdown(rows: readonly Row[]): string {
  return table([HEADER, ...rows.map(cellsOf)]);
}

/** @param lines the header first */
export function table(lines: readonly (readonly string[])[]): string {
  const [header = [], ...rest] = lines;
  const widths = header.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length), 3));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n');
}

function figure(value: number, unit: Row['unit']): string {
  return `${plain(value)}${unit === '/s' ? unit : ` ${unit}`}`;
}

/** Lowest and highest of the repeats. */
function spread(values: readonly number[]): string {
  return `${plain(Math.min(...values))}–${plain(Math.max(...values))}`;
}

const plain = (value: number) => (value >= 100 ? thousands(value) : value.toFixed(2));

/** "1,000,000" */
export const thousands = (value: number): string => Math.round(value).toLocaleString('en-US');
