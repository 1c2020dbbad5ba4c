import type { Text } from '../language/german/german.js';
import type { Say } from '../language/say.js';

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
  readonly since: Since | null;
}

/** A text that counts. */
export interface Since {
  readonly text: Text;
  readonly count: number;
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

function agoText(seconds: number): Since {
  if (seconds < MINUTE_S) return { text: 'just now', count: 0 };
  return seconds < HOUR_S
    ? {
        text: '{count, plural, one {# minute ago} other {# minutes ago}}',
        count: Math.floor(seconds / MINUTE_S),
      }
    : { text: '{count, plural, one {# hour ago} other {# hours ago}}', count: Math.floor(seconds / HOUR_S) };
}

/** "12 seconds", "3 minutes", "5 hours", "2 days": rounded down, for how long something has lasted. */
export function lasting(say: Say, seconds: number): string {
  const count = (unit: number) => ({ count: Math.floor(seconds / unit) });
  if (seconds < MINUTE_S) return say('{count, plural, one {# second} other {# seconds}}', count(1));
  if (seconds < HOUR_S) return say('{count, plural, one {# minute} other {# minutes}}', count(MINUTE_S));
  if (seconds < 2 * DAY_S) return say('{count, plural, one {# hour} other {# hours}}', count(HOUR_S));
  return say('{count, plural, one {# day} other {# days}}', count(DAY_S));
}
