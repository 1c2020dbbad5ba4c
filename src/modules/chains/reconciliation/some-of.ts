/**
 * At most so many, in their order from a random one on: those that are taken in vain each time hide no others.
 * @param random from 0 to below 1
 */
export function someOf<T>(all: readonly T[], most: number, random = Math.random): readonly T[] {
  if (all.length <= most) return all;
  const first = Math.floor(random() * all.length);
  return [...all.slice(first), ...all.slice(0, first)].slice(0, most);
}
