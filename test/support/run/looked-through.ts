/** The longest text in which `work` replaces something: what that costs grows with it, and a clock would tell of the machine. */
export function longestLookedThrough(work: () => unknown): number {
  let longest = 0;
  const spies = (['replace', 'replaceAll'] as const).map((name) => {
    const replace = String.prototype[name] as (...asked: unknown[]) => string;
    return jest.spyOn(String.prototype, name).mockImplementation(function (
      this: string,
      ...asked: unknown[]
    ) {
      longest = Math.max(longest, this.length);
      return Reflect.apply(replace, this, asked);
    });
  });
  try {
    work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return longest;
}
