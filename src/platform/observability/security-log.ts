import { createHash } from 'node:crypto';
import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Counter } from 'prom-client';
import { ScheduledJob } from '../jobs/scheduled-job.js';
import { Metrics } from './metrics.js';

/** Of its lines. */
export const SECURITY_CONTEXT = 'Security';

/** What the platform itself notes. Modules have events of their own, which the application hands in. */
export const PLATFORM_SECURITY_EVENTS = ['forgery-refused', 'metrics-token-refused'] as const;

export type PlatformSecurityEvent = (typeof PLATFORM_SECURITY_EVENTS)[number];

export interface SecurityDetail {
  /** Whom it is about: a person, or the owner of a key. Of an e-mail address the hash is written. */
  readonly account?: string | null;
  /** What was typed for an account, where none is found: an address, or a password in the wrong field. Its hash is written. */
  readonly typed?: string | null;
  /** Who did it, where somebody is known; of an e-mail address the hash is written. */
  readonly by?: string;
  /** The id of the key that was sent. */
  readonly key?: string;
  readonly ip?: string | null;
  readonly why?: string;
}

/** Lines of one event and minute; a flood is told by its count, and cannot fill a disk. */
const LINES_PER_MINUTE = 60;
/** Of one address among them: one that floods hides no other. */
const LINES_PER_ADDRESS = 5;
const MINUTE_MS = 60_000;

interface Minute {
  readonly startMs: number;
  lines: number;
  leftOut: number;
  readonly byAddress: Map<string, number>;
}

/**
 * The security log: one structured line and one count each. Lines are limited, counts are exact.
 * @typeParam Event what its user notes; all of them are counted from the start
 */
export class SecurityLog<Event extends string = PlatformSecurityEvent> implements OnApplicationShutdown {
  private readonly logger = new Logger(SECURITY_CONTEXT);
  private readonly counter: Counter<'event'>;
  private readonly minutes = new Map<Event, Minute>();

  /** @param events all that anybody notes: metrics have a series of each from the start */
  constructor(metrics: Metrics, events: readonly string[]) {
    this.counter = new Counter({
      name: 'rappen_security_events_total',
      help: 'Security events that this instance saw, by kind; the log has lines of them',
      labelNames: ['event'],
      registers: [metrics.registry],
    });
    for (const event of events) this.counter.inc({ event }, 0);
  }

  /** Of the minute that has begun as well. */
  onApplicationShutdown(): void {
    this.tellLeftOut(Infinity);
  }

  note(security: Event, detail: SecurityDetail, nowMs: number = Date.now()): void {
    this.counter.inc({ event: security });
    const minute = this.minuteOf(security, nowMs);
    const address = detail.ip ?? '';
    const ofAddress = minute.byAddress.get(address) ?? 0;
    if (minute.lines >= LINES_PER_MINUTE || ofAddress >= LINES_PER_ADDRESS) {
      minute.leftOut += 1;
      return;
    }
    minute.lines += 1;
    minute.byAddress.set(address, ofAddress + 1);
    this.logger.warn({ security, ...named(detail) }, security);
  }

  private minuteOf(security: Event, nowMs: number): Minute {
    const startMs = nowMs - (nowMs % MINUTE_MS);
    const present = this.minutes.get(security);
    if (present?.startMs === startMs) return present;
    this.tellLeftOut(nowMs);
    const next = { startMs, lines: 0, leftOut: 0, byAddress: new Map<string, number>() };
    this.minutes.set(security, next);
    return next;
  }

  @ScheduledJob('security-log', MINUTE_MS)
  tellOfFormerMinutes(): Promise<void> {
    this.tellLeftOut(Date.now());
    return Promise.resolve();
  }

  /** Of minutes that are over, though nothing comes after them. */
  private tellLeftOut(nowMs: number): void {
    for (const [security, minute] of this.minutes) {
      if (nowMs < minute.startMs + MINUTE_MS || minute.leftOut === 0) continue;
      this.logger.warn({ security, leftOut: minute.leftOut }, 'more of the same in an earlier minute');
      minute.leftOut = 0;
    }
  }
}

function named({ account, typed, by, ...rest }: SecurityDetail) {
  const hashed = account || !typed ? {} : { accountHash: shortHash(typed) };
  return { ...nameOf('account', account), ...hashed, ...nameOf('by', by), ...rest };
}

function nameOf(field: 'account' | 'by', name: string | null | undefined): Record<string, string> {
  if (name === undefined || name === null) return {};
  if (!name.includes('@')) return { [field]: name };
  return { [`${field}Hash`]: shortHash(name) };
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
