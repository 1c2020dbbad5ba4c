/**
 * Waits for all of them. When one fails the others are awaited all the same, so that whatever they start is known to
 * those who must stop it; then the first failure is thrown.
 */
export async function together<Results extends readonly unknown[]>(
  ...works: { readonly [Index in keyof Results]: Promise<Results[Index]> }
): Promise<Results> {
  await Promise.allSettled(works);
  return await Promise.all(works);
}
