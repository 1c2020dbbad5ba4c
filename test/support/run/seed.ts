/** The short run is the same everywhere, so that a red one is the change's. */
const SHORT_RUN = 20_261_122;

/**
 * The seed of a randomised test.
 * @param name of the variable that repeats what a failure has printed
 * @param longForm of the variable that makes the run a long one, which takes another seed each time; none where that is a command of its own
 */
export function seedOf(name: string, longForm?: string): number {
  const isLong = longForm !== undefined && process.env[longForm];
  return Number(process.env[name] ?? (isLong ? Date.now() % 2 ** 31 : SHORT_RUN));
}

/** How often a randomised test is repeated: in the short run, or as the variable says. */
export function runsOf(name: string, short: number): number {
  return Number(process.env[name] ?? short);
}
