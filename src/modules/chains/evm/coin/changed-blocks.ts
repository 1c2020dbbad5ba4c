import { entryAt, paired } from '../../../../kernel/lookups.js';

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
export interface Stretch {
  readonly upTo: number;
  readonly heights: readonly number[];
}

/** At a block, in the order of the addresses; `null` where the node does not tell. */
export type RestsAt = (height: number, addresses: readonly string[]) => Promise<readonly bigint[] | null>;

/** So many blocks are asked about at once, so that a backlog of changes is not one call after another. */
const TOGETHER = 16;

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
): AsyncGenerator<Stretch, void> {
  const rests = new Map(spans.map(({ address, before }) => [address, before]));
  const spentAt = [...new Set(spans.flatMap((span) => span.spentAt))];
  const told = async (height: number): Promise<readonly (readonly [string, bigint])[]> => {
    const addresses = spans.filter(({ fromHeight }) => fromHeight < height).map(({ address }) => address);
    const atoms = addresses.length > 0 ? await restsAt(height, addresses) : null;
    return atoms ? paired(addresses, atoms) : [];
  };
  const differs = (of: readonly (readonly [string, bigint])[]) =>
    of.some(([address, atoms]) => rests.get(address) !== atoms);
  let low = from;
  let stride = TOGETHER;
  /** Between the low end and here, something is known to have changed. */
  let bound: number | null = null;
  while (low < to) {
    const next: number = bound === null ? Math.min(low + stride, to) : low + Math.ceil((bound - low) / 2);
    let heights: number[] = [];
    if (next - low > TOGETHER) {
      if (differs(await told(next)) || spentAt.some((height) => height > low && height <= next)) bound = next;
      else [low, stride] = [next, stride * 2];
    } else {
      const first = low + 1;
      const all = Array.from({ length: Math.min(TOGETHER, to - low) }, (_, i) => first + i);
      const each = await Promise.all(all.map(told));
      heights = all.filter((height, i) => {
        const hasChanged = differs(entryAt(each, i)) || spentAt.includes(height);
        for (const [address, atoms] of entryAt(each, i)) rests.set(address, atoms);
        return hasChanged;
      });
      low += all.length;
      stride = heights.length > 0 ? TOGETHER : 2 * TOGETHER;
      if (bound !== null && bound <= low) bound = null;
    }
    yield { upTo: low, heights };
  }
}
