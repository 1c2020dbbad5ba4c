/** In UTC, where no day is longer. */
export const DAY_MS = 86_400_000;

/** The first instant of a day such as "2026-11-21", UTC; `null` for what is none. */
export function dayOf(text: string): Date | null {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  // `Date` takes the 30th of February for the 2nd of March.
  return date && !Number.isNaN(date.getTime()) && dayText(date) === text ? date : null;
}

/** Of an instant, in UTC: "2026-11-21". */
export function dayText(date: Date): string {
  return date.toISOString().slice(0, 10);
}
