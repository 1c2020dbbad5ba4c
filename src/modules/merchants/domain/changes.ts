type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** What a reader of the log wants to see of a change: each value that differs, as `[before, after]`, by its path. */
export function changesBetween(before: unknown, after: unknown): Record<string, [Json, Json]> {
  const [was, is] = [flat(before as Json), flat(after as Json)];
  const paths = [...new Set([...was.keys(), ...is.keys()])];
  return Object.fromEntries(
    paths
      .map((path): [string, [Json, Json]] => [path, [was.get(path) ?? null, is.get(path) ?? null]])
      .filter(([, [old, fresh]]) => JSON.stringify(old) !== JSON.stringify(fresh)),
  );
}

/** Objects are walked into; a list is one value. */
function flat(value: Json, path = ''): Map<string, Json> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map([[path, value]]);
  const inner = Object.entries(value as Record<string, Json>).flatMap(([name, one]) => [
    ...flat(one, path === '' ? name : `${path}.${name}`),
  ]);
  return new Map(inner);
}
