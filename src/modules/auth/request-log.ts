import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Counter } from 'prom-client';
import { DataSource } from 'typeorm';
import { redact } from '../../kernel/text/redact.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { ScheduledJob } from '../../platform/jobs/scheduled-job.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { currentTraceId } from '../../platform/observability/trace.js';
import { problemOf } from '../../platform/problems/noted.js';
import type { Principal } from './auth.types.js';
import { insertRequests, type LoggedRequest } from './data/insert-requests.statement.js';
import { intentOf, pathOfTarget } from './domain/request-line.js';

const JOB = 'request-log';
/** How soon a request is in the log. Shorter makes more and smaller statements. */
const WRITE_EVERY_MS = 1_000;
/** Rows of one statement. */
const BATCH = 500;
/** Rows that wait for the database: some MB. Beyond it rows are dropped and counted: a log must not end the service. */
const MAX_WAITING = 10_000;
/** A client in a loop against its limit would fill the disk with one and the same answer. Of one key, per minute. */
const MAX_THROTTLED_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

/** Notes every request that came with a valid key. No request waits for it: rows are written together, afterwards. */
@Injectable()
export class RequestLog implements OnApplicationShutdown {
  private waiting: LoggedRequest[] = [];
  private readonly throttled = new Map<string, number>();
  private throttledSinceMs = 0;
  private readonly dropped: Counter<'why'>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: Jobs,
    metrics: Metrics,
  ) {
    this.dropped = new Counter({
      name: 'rappen_request_log_dropped_total',
      help: 'Requests that are not in the request log: too many were waiting, or one key was over its limit',
      labelNames: ['why'],
      registers: [metrics.registry],
    });
  }

  /** The server is closed and the database is not: what the last requests left is written. */
  async onApplicationShutdown(): Promise<void> {
    while (await this.write());
  }

  /** @param startedAtMs on this process' monotonic clock */
  watch(request: Request, response: Response, principal: Principal, startedAtMs: number): void {
    const traceId = currentTraceId() ?? '';
    response.once('close', () => {
      const path = pathOfTarget(request.originalUrl);
      const location = response.getHeader('Location');
      const endedAtMs = performance.now();
      this.add({
        endedAtMs,
        merchantId: principal.merchantId,
        keyId: principal.keyId,
        method: request.method,
        path: redact(path),
        status: response.writableFinished ? response.statusCode : null,
        problem: problemOf(response),
        traceId,
        durationMs: Math.round(endedAtMs - startedAtMs),
        intentId: intentOf(path, typeof location === 'string' ? location : null),
      });
    });
  }

  /** Writes the oldest batch. What the database does not take now stays for the next time. @returns whether more waits */
  @ScheduledJob(JOB, WRITE_EVERY_MS)
  async write(): Promise<boolean> {
    const batch = this.waiting.slice(0, BATCH);
    if (batch.length === 0) return false;
    this.waiting = this.waiting.slice(BATCH);
    try {
      await insertRequests(this.dataSource, batch);
    } catch (error) {
      this.waiting = [...batch, ...this.waiting];
      throw error;
    }
    return this.waiting.length > 0;
  }

  private add(row: LoggedRequest): void {
    const why = this.refusal(row);
    if (why !== null) return this.dropped.inc({ why });
    this.waiting.push(row);
    if (this.waiting.length === BATCH) this.jobs.wake(JOB);
  }

  private refusal({ keyId, status, endedAtMs }: LoggedRequest): 'full' | 'throttled' | null {
    if (this.waiting.length >= MAX_WAITING) return 'full';
    if (status !== 429) return null;
    if (endedAtMs - this.throttledSinceMs >= MINUTE_MS) {
      this.throttled.clear();
      this.throttledSinceMs = endedAtMs;
    }
    const count = (this.throttled.get(keyId) ?? 0) + 1;
    this.throttled.set(keyId, count);
    return count > MAX_THROTTLED_PER_MINUTE ? 'throttled' : null;
  }
}
