/** A string, or a bracket; what is between them names nothing. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]]/gs;
const COLON_NEXT = /\s*:/y;

interface Level {
  /** `null` for an array. */
  readonly names: Set<string> | null;
  /** Of the object or array itself; the name of what it holds at present comes after it. */
  readonly path: readonly string[];
  present: string;
}

/**
 * JSON pointers to the names that an object has twice. `JSON.parse` takes the last of them and another reader the first,
 * so that two who look at one body would see two requests.
 * @param json a text that `JSON.parse` has taken
 */
export function duplicateNames(json: string): string[] {
  const found: string[] = [];
  const levels: Level[] = [];
  for (const { 0: token, index } of json.matchAll(TOKENS)) {
    const level = levels.at(-1);
    if (token === '{' || token === '[') {
      const path = level ? [...level.path, level.present] : [];
      levels.push({ names: token === '{' ? new Set() : null, path, present: '-' });
    } else if (token === '}' || token === ']') {
      levels.pop();
    } else if (level?.names && isName(json, index + token.length)) {
      level.present = String(JSON.parse(token));
      if (level.names.has(level.present)) found.push(pointer([...level.path, level.present]));
      level.names.add(level.present);
    }
  }
  return [...new Set(found)];
}

function isName(json: string, end: number): boolean {
  COLON_NEXT.lastIndex = end;
  return COLON_NEXT.test(json);
}

/** RFC 6901. */
export function pointer(path: readonly string[]): string {
  return path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
