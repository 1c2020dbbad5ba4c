type Line = { readonly file: string; readonly by: number } | { readonly ended: number };

/**
 * Jest gives a file whose worker died to another worker, up to three times, and says nothing of it: a test that crashes its
 * worker now and then would pass.
 * @param noted a line of JSON for each file in which a test began, and for each worker that was told to end
 *   (test/support/jest/shared-environment.cjs)
 * @returns the files that more than one worker began, without those whose worker was told to end
 */
export function begunAgain(noted: string): string[] {
  const lines = noted
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
  const ended = new Set(lines.flatMap((line) => ('ended' in line ? [line.ended] : [])));
  const last = new Map<string, number>();
  const again = new Set<string>();
  for (const line of lines) {
    if ('ended' in line) continue;
    const by = last.get(line.file);
    if (by !== undefined && !ended.has(by)) again.add(line.file);
    last.set(line.file, line.by);
  }
  return [...again];
}
