/** An index of trigrams knows nothing of less. */
const INDEXED = /[\p{L}\p{N}]{3}/u;
const NUMBER = /\p{N}{3,}/gu;

/** What a search of parts of keys and titles looks for. */
export interface SearchTerms {
  /** Each of them is in what is found, wherever: what stands between spaces. */
  readonly all: readonly string[];
  /**
   * Parts of those by which an index finds little: their numbers, or else the terms themselves. None where nothing is
   * long enough to be found by an index.
   */
  readonly indexed: readonly string[];
}

export function searchTerms(search: string): SearchTerms {
  const all = search.split(/\s+/u).filter((term) => term !== '');
  return { all, indexed: search.match(NUMBER) ?? all.filter((term) => INDEXED.test(term)) };
}
