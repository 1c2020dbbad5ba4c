export const DAY_MS = 86_400_000;

/** The first instant of a day such as "2026-11-21", UTC; `null` for what is none. */
export function dayOf(text: string): Date | null {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  // 31 February is a date to Date, but not to anybody else.
  return date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? date : null;
}

export function dayText(date: Date): string {
  return date.toISOString().slice(0, 10);
}
