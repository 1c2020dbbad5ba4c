/** By UTC. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/**
 * Once more where a day has begun meanwhile: what was computed of the day before is looked for beside what was written on
 * this one. A month begins with a day.
 */
export async function withinOneDay<T>(work: (day: string) => Promise<T>): Promise<T> {
  for (;;) {
    const day = today();
    try {
      const done = await work(day);
      if (day === today()) return done;
    } catch (error) {
      if (day === today()) throw error;
    }
  }
}
