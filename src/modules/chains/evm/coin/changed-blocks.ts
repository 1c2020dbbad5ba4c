/** How far an address' balance was from what is recorded for it, at both ends of a span of blocks that nobody looked at. */
export interface Span {
  readonly address: string;
  /** Up to this block it was `before`, whatever a node says. */
  readonly fromHeight: number;
  readonly before: bigint;
  readonly after: bigint;
  /** Blocks in which its owner sent: what came before may have been moved on there. */
  readonly spentAt: readonly number[];
}

/** At a block, in the order of the addresses; `null` where the node does not tell. */
export type RestsAt = (height: number, addresses: readonly string[]) => Promise<readonly bigint[] | null>;

/**
 * In which blocks the rest of any of these changed, by halving the span; ascending. Where a block's state is not told,
 * nothing had changed yet: what came is then found in the next block that is told, late but never early. A block in
 * which its owner sent is always among them, and so is what came before. Only what others move on is not seen.
 * @param to the last block of the span
 * @param most so many blocks are asked about; what is left is found at the end of its part of the span
 */
export async function changedBlocks(
  spans: readonly Span[],
  to: number,
  restsAt: RestsAt,
  most: number,
): Promise<number[]> {
  let asked = 0;
  const within = async (low: number, high: number, all: readonly Span[]): Promise<number[]> => {
    const changed = all.filter(
      ({ before, after, spentAt }) =>
        before !== after || spentAt.some((height) => height > low && height <= high),
    );
    if (changed.length === 0) return [];
    if (high - low <= 1) return [high];
    const middle = Math.floor((low + high) / 2);
    const begun = changed.filter(({ fromHeight }) => fromHeight < middle);
    const isAsked = begun.length > 0 && asked < most;
    if (isAsked) asked += 1;
    const addresses = begun.map(({ address }) => address);
    const told = isAsked ? await restsAt(middle, addresses) : null;
    const rests = new Map(addresses.map((address, i) => [address, told?.[i]]));
    const at = (span: Span) => rests.get(span.address) ?? span.before;
    return [
      ...(await within(
        low,
        middle,
        changed.map((span) => ({ ...span, after: at(span) })),
      )),
      ...(await within(
        middle,
        high,
        changed.map((span) => ({ ...span, before: at(span) })),
      )),
    ];
  };
  return within(Math.min(...spans.map(({ fromHeight }) => fromHeight), to), to, spans);
}
