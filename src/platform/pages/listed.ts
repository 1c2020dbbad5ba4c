/** So many transfers a page lists: whoever sends dust makes as many as they like, and each is a row. */
export const MOST_LISTED = 100;

/** The first of a list, and how many are left out. */
export function listed<T>(all: readonly T[]): { readonly some: readonly T[]; readonly more: number } {
  return { some: all.slice(0, MOST_LISTED), more: Math.max(0, all.length - MOST_LISTED) };
}
