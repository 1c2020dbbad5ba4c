type Line =
  { readonly file: string; readonly by: number; readonly heapBytes: number } | { readonly ended: number };

/** Somewhat less than `workerIdleMemoryLimit` (jest.config.mjs), by which Jest went a moment before. */
const LARGE_HEAP_BYTES = 800_000_000;

/**
 * Jest gives a file whose worker died to another worker, up to three times, and says nothing of it: a test that crashes its
 * worker now and then would pass.
 * @param noted a line of JSON for each file that a worker began, with what its heap held then, and for each worker that was told to
 *   end (test/support/jest/shared-environment.cjs)
 * @returns the files that were begun more than once, without those whose worker Jest ended for its memory: it was told to end, or was
 *   killed before it could say so
 */
export function begunAgain(noted: string): string[] {
  const lines = noted
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
  const ended = new Set(lines.flatMap((line) => ('ended' in line ? [line.ended] : [])));
  const last = new Map<string, { readonly by: number; readonly heapBytes: number }>();
  const again = new Set<string>();
  for (const line of lines) {
    if ('ended' in line) continue;
    const before = last.get(line.file);
    if (before && !ended.has(before.by) && before.heapBytes < LARGE_HEAP_BYTES) again.add(line.file);
    last.set(line.file, line);
  }
  return [...again];
}
