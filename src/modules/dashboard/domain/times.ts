/** "Sep", which British English would call "Sept". */
const MONTH = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });
const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** A moment for `dashboard/time`, which writes it for its reader: exact for machines, in UTC on hover. */
export interface TimeText {
  readonly iso: string;
  /** "21 Nov 2026, 14:32 UTC". */
  readonly utc: string;
  /** "3 minutes ago"; `null` where the moment itself is said. */
  readonly since: string | null;
}

export function moment(date: Date): TimeText {
  const day = `${date.getUTCDate()} ${MONTH.format(date)} ${date.getUTCFullYear()}`;
  return {
    iso: date.toISOString(),
    utc: `${day}, ${date.toISOString().slice(11, 16)} UTC`,
    since: null,
  };
}

/** "3 minutes ago"; from a day on the moment itself. */
export function ago(date: Date, now: Date): TimeText {
  const seconds = Math.max(0, Math.floor((now.getTime() - date.getTime()) / 1000));
  if (seconds >= DAY_S) return moment(date);
  return { ...moment(date), since: agoText(seconds) };
}

function agoText(seconds: number): string {
  if (seconds < MINUTE_S) return 'just now';
  if (seconds < HOUR_S) return `${plural(Math.floor(seconds / MINUTE_S), 'minute')} ago`;
  return `${plural(Math.floor(seconds / HOUR_S), 'hour')} ago`;
}

/** "1 minute", "2 minutes". */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** "12 seconds", "3 minutes", "5 hours", "2 days": rounded down, for how long something has lasted. */
export function span(seconds: number): string {
  if (seconds < MINUTE_S) return plural(Math.floor(seconds), 'second');
  if (seconds < HOUR_S) return plural(Math.floor(seconds / MINUTE_S), 'minute');
  if (seconds < 2 * DAY_S) return plural(Math.floor(seconds / HOUR_S), 'hour');
  return plural(Math.floor(seconds / DAY_S), 'day');
}
