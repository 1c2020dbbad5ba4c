import { Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ScheduledJob } from '../jobs/scheduled-job.js';
import { exchangeHits, removeWindows } from './data/rate-windows.statement.js';

const WINDOW_MS = 60_000;

/**
 * How often an instance tells the others what it counted. Between two exchanges a subject may overshoot its
 * limit by what the other instances let through in this time; shorter costs statements, longer costs exactness.
 */
const EXCHANGE_EVERY_MS = 250;

/** Windows older than this are of no use to anybody. */
const KEEP_WINDOWS_MS = 5 * WINDOW_MS;

/**
 * Subjects of one kind (what stands before the colon) that are counted one by one in a window. Whoever comes later
 * shares one counter with all others of the kind: an attacker with many addresses can neither fill our memory nor
 * use up the limit of a kind that is not addresses. Whoever is known is therefore of another kind than anybody (`hitKnown`).
 */
const MAX_SUBJECTS = 100_000;
/** Longer than any key id or address; a longer one is cut, and counted with those that begin alike. */
const MAX_SUBJECT_LENGTH = 128;

interface Counter {
  readonly subject: string;
  readonly windowMs: number;
  /** Hits of all instances, as of the last exchange. */
  known: number;
  /** Hits counted here since. */
  pending: number;
}

/** How a subject stands in the present minute, this hit included. */
export interface Hits {
  readonly hits: number;
  readonly resetS: number;
}

/**
 * Fixed windows of a minute, counted in memory in O(1) and shared by all instances through one statement every
 * 250 ms, whatever the traffic: no request waits for a round trip. Replaces throttler's own storage, which
 * keeps the time of every hit and collapses on a busy key.
 */
@Injectable()
export class RateWindows {
  private readonly counters = new Map<string, Counter>();
  /** Those with hits of which the others do not know: a few, of up to all that a minute has. */
  private readonly unshared = new Set<Counter>();
  private readonly subjects = new Map<string, number>();
  private countingMs = 0;
  private lastPruneMs = 0;

  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly maxSubjects: number = MAX_SUBJECTS,
  ) {}

  /** Counts one hit of a subject that anybody may be, or make up: an address. */
  hit(subject: string, nowMs: number = Date.now()): Hits {
    const windowMs = nowMs - (nowMs % WINDOW_MS);
    const counter = this.counterOf(subject.slice(0, MAX_SUBJECT_LENGTH), windowMs);
    counter.pending += 1;
    this.unshared.add(counter);
    return {
      hits: counter.known + counter.pending,
      resetS: Math.ceil((windowMs + WINDOW_MS - nowMs) / 1000),
    };
  }

  /** The same of a subject that was looked up and found: a key, a session, a known browser. No crowd of strangers shares its counter. */
  hitKnown(subject: string, nowMs: number = Date.now()): Hits {
    return this.hit(`known ${subject}`, nowMs);
  }

  /** How a subject of `hit` stands in the present minute, without counting. */
  seen(subject: string, nowMs: number = Date.now()): Hits {
    const windowMs = nowMs - (nowMs % WINDOW_MS);
    const counter =
      this.countingMs === windowMs ? this.counters.get(subject.slice(0, MAX_SUBJECT_LENGTH)) : null;
    return {
      hits: counter ? counter.known + counter.pending : 0,
      resetS: Math.ceil((windowMs + WINDOW_MS - nowMs) / 1000),
    };
  }

  @ScheduledJob('rate-windows', EXCHANGE_EVERY_MS)
  async exchangeNow(): Promise<void> {
    await this.exchange();
  }

  /** Adds what was counted here to what all have counted, and learns the sum. */
  async exchange(nowMs: number = Date.now()): Promise<void> {
    // First of all, and without the database: while it is down, nothing else would empty the map.
    this.turnTo(nowMs - (nowMs % WINDOW_MS));
    await this.share();
    await this.prune(nowMs);
  }

  private counterOf(subject: string, windowMs: number): Counter {
    this.turnTo(windowMs);
    const known = this.counters.get(subject);
    if (known) return known;
    const kind = subject.slice(0, subject.indexOf(':') + 1);
    const size = this.subjects.get(kind) ?? 0;
    const name = size < this.maxSubjects ? subject : `${kind}others`;
    const counter = this.counters.get(name) ?? { subject: name, windowMs, known: 0, pending: 0 };
    if (!this.counters.has(name)) this.subjects.set(kind, size + 1);
    this.counters.set(name, counter);
    return counter;
  }

  /** A new window starts empty. What the last one has not shared by now limits nobody any more. */
  private turnTo(windowMs: number): void {
    if (windowMs === this.countingMs) return; // a clock that is set back begins a new window too
    this.countingMs = windowMs;
    this.counters.clear();
    this.unshared.clear();
    this.subjects.clear();
  }

  private async share(): Promise<void> {
    const due = [...this.unshared].map((counter) => ({ counter, hits: counter.pending }));
    if (due.length === 0) return;
    const counted = due.map(({ counter: { subject, windowMs: startsMs }, hits }) => ({
      subject,
      startsMs,
      hits,
    }));
    const rows = await exchangeHits(this.dataSource, counted);
    for (const { counter, hits } of due) {
      counter.pending -= hits; // others may have come meanwhile
      if (counter.pending === 0) this.unshared.delete(counter);
    }
    for (const row of rows) {
      const counter = this.counters.get(row.subject);
      if (counter?.windowMs === row.startsMs) counter.known = row.hits;
    }
  }

  private async prune(nowMs: number): Promise<void> {
    if (nowMs - this.lastPruneMs < WINDOW_MS) return;
    await removeWindows(this.dataSource, new Date(nowMs - KEEP_WINDOWS_MS));
    this.lastPruneMs = nowMs;
  }
}
