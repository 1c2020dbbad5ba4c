/** The short run is the same everywhere, so that a red one is the change's. */
const SHORT_RUN = 20_261_122;

/**
 * The seed of a randomised test.
 * @param name of the variable that repeats what a failure has printed
 * @param longForm of the variable that makes the run a long one, which takes another seed each time
 */
export function seedOf(name: string, longForm: string): number {
  return Number(process.env[name] ?? (process.env[longForm] ? Date.now() % 2 ** 31 : SHORT_RUN));
}

/** How often a randomised test is repeated: in the short run, or as the variable says. */
export function runsOf(name: string, short: number): number {
  return Number(process.env[name] ?? short);
}
