/** Headers' times differ from ours: by what miners may set them wrong, and more. */
const MARGIN_MS = 3 * 3_600_000;

/**
 * The first block that can pay what was issued at a moment, by bisecting the headers' times.
 * @param tip the block up to which is looked
 */
export async function firstBlockAt(
  timeOf: (height: number) => Promise<Date | null>,
  tip: number,
  sinceMs: number,
): Promise<number> {
  let [low, high] = [0, tip];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = await timeOf(middle);
    // A node that has forgotten its oldest headers: what it no longer has is before what it can tell.
    if (!found || found.getTime() < sinceMs - MARGIN_MS) low = middle + 1;
    else high = middle;
  }
  return low;
}
