type Line = { readonly file: string; readonly by: number } | { readonly tooLarge: number };

/**
 * Jest gives a file whose worker died to another worker, up to three times, and says nothing of it: a test that crashes its
 * worker now and then would pass.
 * @param noted a line of JSON for each file that a worker began, and for each worker that told Jest of a heap above the limit, in
 *   the order of time (test/support/jest/shared-environment.cjs)
 * @returns the files that were begun more than once, without those that a worker began when it had told so: Jest ends it then,
 *   whatever it has begun meanwhile
 */
export function begunAgain(noted: string): string[] {
  const lines = noted
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
  const tooLarge = new Set<number>();
  /** Of each file whether Jest was ending the last that began it. */
  const isEnding = new Map<string, boolean>();
  const again = new Set<string>();
  for (const line of lines) {
    if ('tooLarge' in line) {
      tooLarge.add(line.tooLarge);
      continue;
    }
    if (isEnding.get(line.file) === false) again.add(line.file);
    isEnding.set(line.file, tooLarge.has(line.by));
  }
  return [...again];
}
