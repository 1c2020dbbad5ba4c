import { isObject } from '../../../kernel/error-fields.js';

/** What a reader of the log wants to see of a change: each value that differs, as `[before, after]`, by its path. */
export function changesBetween(before: unknown, after: unknown): Record<string, [unknown, unknown]> {
  const [was, is] = [flat(before), flat(after)];
  const paths = [...new Set([...was.keys(), ...is.keys()])];
  return Object.fromEntries(
    paths
      .map((path): [string, [unknown, unknown]] => [path, [was.get(path) ?? null, is.get(path) ?? null]])
      .filter(([, [old, fresh]]) => JSON.stringify(old) !== JSON.stringify(fresh)),
  );
}

/** Objects are walked into; a list is one value. */
function flat(value: unknown, path = ''): Map<string, unknown> {
  if (!isObject(value) || Array.isArray(value)) return new Map([[path, value]]);
  const inner = Object.entries(value).flatMap(([name, one]) => [
    ...flat(one, path === '' ? name : `${path}.${name}`),
  ]);
  return new Map(inner);
}
