/*
 * Looking up what the caller knows to be there. The compiler does not know it; where the caller is mistaken, these throw a
 * RangeError where it is seen first, instead of handing on `undefined`.
 */

/** The one entry of a list that has exactly one, such as the rows of a statement that always returns one. */
export function only<T>(list: readonly T[]): T {
  const [one] = list;
  if (one === undefined || list.length !== 1)
    throw new RangeError(`one entry is expected, of ${list.length}`);
  return one;
}

/** @param index negative from the end */
export function entryAt<T>(list: ArrayLike<T> & { at(index: number): T | undefined }, index: number): T {
  const entry = list.at(index);
  if (entry === undefined) throw new RangeError(`no entry ${index} of ${list.length}`);
  return entry;
}

/** What two lists of the same order and length have at each place, such as questions and their answers. */
export function paired<A, B>(some: readonly A[], others: readonly B[]): [A, B][] {
  if (some.length !== others.length) throw new RangeError(`${some.length} beside ${others.length} entries`);
  return some.map((one, i) => [one, entryAt(others, i)]);
}

/** A list as several, none longer than `size`. */
export function inPieces<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) =>
    list.slice(i * size, (i + 1) * size),
  );
}

/** By what each says. */
export function groupedBy<T, K>(list: readonly T[], keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of list) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

export function valueAt<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`no value at ${String(key)}`);
  return value;
}

/** What a table of ours says of a name that came from elsewhere: "constructor" is in no table. */
export function ownValue<V>(table: Readonly<Record<string, V>>, name: string): V | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The names of a table, with their type; of a table of ours, which has none besides. */
export function namesOf<Name extends string>(table: Readonly<Partial<Record<Name, unknown>>>): Name[] {
  return Object.keys(table) as Name[];
}

/** The table whose rows these are; of each of its names there is one. */
export function tableOf<Name extends string, V>(rows: readonly (readonly [Name, V])[]): Record<Name, V> {
  return Object.fromEntries(rows) as Record<Name, V>;
}

export function isOneOf<T>(all: readonly T[], value: unknown): value is T {
  return all.some((one) => one === value);
}

/** What stands before the first separator; all of a text without one. */
export function before(separator: string, text: string): string {
  const at = text.indexOf(separator);
  return at === -1 ? text : text.slice(0, at);
}
