import { InconsistentNode } from '../node.errors.js';
import type { Searched, SoughtPayment } from '../outgoing.types.js';

/** What differs by the family of a network. */
export interface Search {
  header(height: number): Promise<{ readonly hash: string } | null>;
  /**
   * @param tip how far the watcher is
   * @returns of each what was found, or why it could not be searched for; nothing of either where the node did not answer
   * for one before it
   */
  search(sought: readonly SoughtPayment[], tip: number): Promise<Searched[]>;
}

interface Follows {
  readonly height: number;
  readonly parentHash: string;
}

/** Blocks of the next look. */
export function partOf({ searchedHeight, upTo }: SoughtPayment, most: number) {
  return { from: searchedHeight + 1, to: Math.min(upTo ?? searchedHeight, searchedHeight + most) };
}

/** Places in a list, of what was searched furthest first: what is far behind, and is refused, keeps nothing else waiting. */
export function newestFirst(sought: readonly SoughtPayment[]): number[] {
  return sought
    .map(({ searchedHeight }, i) => ({ searchedHeight, i }))
    .sort((a, b) => b.searchedHeight - a.searchedHeight)
    .map(({ i }) => i);
}

export const heightsIn = ({ from, to }: ReturnType<typeof partOf>) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

/** Whether a block follows what was searched: nothing is known of the block before where none was looked at yet. */
export function isAfter(
  { searchedHeight, searchedHash }: Pick<Searched, 'searchedHeight' | 'searchedHash'>,
  { height, parentHash }: Follows,
): boolean {
  return searchedHash === null || searchedHeight !== height - 1 || parentHash === searchedHash;
}

/** @throws InconsistentNode where it is on another branch than what was searched before */
export function mustFollow(sought: SoughtPayment, first: Follows): void {
  if (!isAfter(sought, first)) throw notLinked(first.height);
}

export const notLinked = (height: number) =>
  new InconsistentNode(`block ${height} does not follow the block that was searched before it`);

export function notSearched({ searchedHeight, searchedHash }: SoughtPayment, failure?: Error): Searched {
  return { found: [], searchedHeight, searchedHash, ...(failure && { failure }) };
}
