import { MetadataScanner, Reflector } from '@nestjs/core';
import { Interval } from '@nestjs/schedule';

/** Does one batch of work. `true` says that there is more, and the next run follows at once. */
export type Turn = (signal: AbortSignal) => Promise<boolean | void>;

export interface JobDefinition {
  readonly name: string;
  /** Longest pause between two runs; `Jobs.wake` shortens it. */
  readonly everyMs: number;
  readonly run: Turn;
}

/** Where `@Interval` notes what it was given; the library keeps the names to itself. */
const INTERVAL = 'SCHEDULE_INTERVAL_OPTIONS';
const NAME = 'SCHEDULER_NAME';
const reflector = new Reflector();
const scanner = new MetadataScanner();

/**
 * `@Interval` of `@nestjs/schedule` for a method that is a turn: `Jobs` runs it every `everyMs`, and at once when it is woken by
 * this name (ADR 54). Jobs that are many by configuration (one for each network) are given to `Jobs.define`.
 */
export function ScheduledJob(name: string, everyMs: number) {
  return <Method extends Turn>(
    prototype: object,
    method: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => void Interval(name, everyMs)(prototype, method, descriptor);
}

/** The jobs among the methods of an object. */
export function jobsOf(instance: object): JobDefinition[] {
  const methods = instance as Readonly<Record<string, Turn>>;
  return scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object).flatMap((methodName) => {
    const method = methods[methodName];
    const interval = method && reflector.get<{ timeout: number } | undefined>(INTERVAL, method);
    if (!interval) return [];
    const name = reflector.get<string | undefined>(NAME, method) ?? methodName;
    return [{ name, everyMs: interval.timeout, run: (signal: AbortSignal) => method.call(instance, signal) }];
  });
}
