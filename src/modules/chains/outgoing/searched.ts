import { InconsistentNode } from '../node.errors.js';
import type { Searched, SoughtPayment } from '../outgoing.types.js';

/** What differs by the family of a network. */
export interface Search {
  header(height: number): Promise<{ readonly hash: string } | null>;
  /**
   * @param tip how far the watcher is
   * @throws where the node does not answer: then nothing was searched. Where it fails at one of them, that one says so
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

export function notSearched({ searchedHeight, searchedHash }: SoughtPayment, error?: unknown): Searched {
  const failure =
    error === undefined || error instanceof Error
      ? error
      : new Error('it could not be searched for', { cause: error });
  return { found: [], searchedHeight, searchedHash, ...(failure && { failure }) };
}
