import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ReplaySubject } from 'rxjs';
import { DataSource } from 'typeorm';
import { readClock } from '../../database/clock.js';
import { orLate } from '../deadline.js';

/** Who asks for all of them waits for no longer: one that hangs has failed, and the next report tries it anew. */
const CHECK_MS = 5_000;

export interface CheckResult {
  readonly ok: boolean;
  readonly detail?: unknown;
}

export interface ReadinessCheck {
  readonly name: string;
  /** Whether the instance must not get traffic without it. What only closes an option is told, not required. */
  readonly required: boolean;
  readonly check: () => Promise<CheckResult>;
}

export interface ReadinessReport {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, CheckResult>>;
}

/** Modules say here what they need before traffic may come; the platform adds the database and its migrations. */
@Injectable()
export class Readiness implements OnModuleDestroy {
  /** Emits once, at shutdown, and to whoever asks later: what is open must end, what is new must not begin. */
  readonly closing = new ReplaySubject<void>(1);
  private readonly checks: ReadinessCheck[] = [
    { name: 'database', required: true, check: () => this.database() },
    { name: 'migrations', required: true, check: () => this.migrations() },
  ];
  private started = false;
  private closed = false;
  private migrated = false;
  private looking: Promise<ReadinessReport> | null = null;

  constructor(private readonly dataSource: DataSource) {}

  register(check: ReadinessCheck): void {
    this.checks.push(check);
  }

  /** The first catch-up is over; from now on requests are answered. */
  open(): void {
    this.started = true;
  }

  /** Shutdown begins: no more traffic, although the process still answers what it has. There is no way back. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.closing.next();
  }

  /** For applications without a server; with one, its adapter has closed us before anything else. */
  onModuleDestroy(): void {
    this.close();
  }

  get isOpen(): boolean {
    return this.started && !this.closed;
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /** However many ask, and anybody may, each check is made by one of them at a time: who comes meanwhile gets that report. */
  report(): Promise<ReadinessReport> {
    this.looking ??= this.look().finally(() => (this.looking = null));
    return this.looking;
  }

  private async look(): Promise<ReadinessReport> {
    const results = await Promise.all(
      this.checks.map(async ({ name, check }) => {
        return [name, await orLate(check().catch(failed), CHECK_MS, failed)] as const;
      }),
    );
    const required = new Set(this.checks.filter((check) => check.required).map((check) => check.name));
    const ready = this.isOpen && results.every(([name, result]) => result.ok || !required.has(name));
    return { ready, checks: { ...Object.fromEntries(results), started: { ok: this.isOpen } } };
  }

  private async database(): Promise<CheckResult> {
    await readClock(this.dataSource);
    return { ok: true };
  }

  /** Asked until it holds: a schema does not lose a migration while we run. */
  private async migrations(): Promise<CheckResult> {
    this.migrated ||= !(await this.dataSource.showMigrations());
    return { ok: this.migrated };
  }
}

function failed(): CheckResult {
  return { ok: false };
}
