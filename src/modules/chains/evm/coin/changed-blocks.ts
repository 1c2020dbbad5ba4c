import { paired } from '../../../../kernel/lookups.js';
import { MOST_TOGETHER } from './past-blocks.js';

/** What is recorded of an address does not explain all that it holds: the rest, at the block before its span. */
export interface Span {
  readonly address: string;
  /** Up to this block it was `before`, whatever a node says. */
  readonly fromHeight: number;
  readonly before: bigint;
  /** Blocks in which its owner sent: what came before may have been moved on there. */
  readonly spentAt: readonly number[];
}

/** A part of the span that is done with, and in which of its blocks something changed. */
export interface ChangedStretch {
  readonly upTo: number;
  readonly heights: readonly number[];
  /** What comes after it is not told for now: it is the last. */
  readonly isCutShort: boolean;
}

/**
 * Of the first of these blocks, as far as it is told for now: the rest of each address, in the order of the spans; `null` for
 * a block whose state is told no more.
 */
export type RestsAt = (heights: readonly number[]) => Promise<readonly (readonly bigint[] | null)[]>;

/**
 * In which blocks the rest of any of these changed, ascending, and as far as the caller goes on: what comes first is
 * found first, whatever lies behind it. Strides double where nothing changed, and are halved where something did. Where a
 * block's state is not told, nothing had changed yet: what came is then found in the next block that is told, late but
 * never early. A block in which its owner sent is always among them. Only what others move on is not seen.
 * @param from the last block before the span
 * @param to its last block
 */
export async function* changedBlocks(
  spans: readonly Span[],
  from: number,
  to: number,
  restsAt: RestsAt,
): AsyncGenerator<ChangedStretch, void> {
  const rests = new Map(spans.map(({ address, before }) => [address, before]));
  const spentAt = [...new Set(spans.flatMap((span) => span.spentAt))];
  const begun = (height: number, told: readonly bigint[] | null) =>
    told ? paired(spans, told).filter(([{ fromHeight }]) => fromHeight < height) : [];
  const differs = (height: number, told: readonly bigint[] | null) =>
    begun(height, told).some(([{ address }, atoms]) => rests.get(address) !== atoms);
  let low = Math.max(from, Math.min(...spans.map(({ fromHeight }) => fromHeight)));
  let stride = MOST_TOGETHER;
  /** Between the low end and here, something is known to have changed. */
  let bound: number | null = null;
  while (low < to) {
    const next: number = bound === null ? Math.min(low + stride, to) : low + Math.ceil((bound - low) / 2);
    const first = low + 1;
    const isProbe = next - low > MOST_TOGETHER;
    const asked = isProbe
      ? [next]
      : Array.from({ length: Math.min(MOST_TOGETHER, to - low) }, (_, i) => first + i);
    const each = await restsAt(asked);
    const told = paired(asked.slice(0, each.length), each);
    let heights: number[] = [];
    if (isProbe) {
      const hasChanged =
        told.some(([height, of]) => differs(height, of)) ||
        spentAt.some((height) => height > low && height <= next);
      if (hasChanged) bound = next;
      else if (told.length > 0) [low, stride] = [next, stride * 2];
    } else {
      heights = told.flatMap(([height, of]) => {
        const hasChanged = differs(height, of) || spentAt.includes(height);
        for (const [{ address }, atoms] of begun(height, of)) rests.set(address, atoms);
        return hasChanged ? [height] : [];
      });
      low += told.length;
      stride = heights.length > 0 ? MOST_TOGETHER : 2 * MOST_TOGETHER;
      if (bound !== null && bound <= low) bound = null;
    }
    const isCutShort = told.length < asked.length;
    yield { upTo: low, heights, isCutShort };
    if (isCutShort) return;
  }
}
