import { SetMetadata } from '@nestjs/common';
import { MetadataScanner, Reflector } from '@nestjs/core';

/** Does one batch of work. `true` says that there is more, and the next run follows at once. */
export type Turn = (signal: AbortSignal) => Promise<boolean | void>;

export interface JobDefinition {
  readonly name: string;
  /** Longest pause between two runs; `Jobs.wake` shortens it. */
  readonly everyMs: number;
  readonly run: Turn;
}

type Schedule = Omit<JobDefinition, 'run'>;

const SCHEDULE = 'rappen:scheduled-job';
const reflector = new Reflector();
const scanner = new MetadataScanner();

/**
 * The method is a job of the background: `Jobs` runs it every `everyMs`, and at once when it is woken by this name. Jobs
 * that are many by configuration (one for each network) are given to `Jobs.define`.
 */
export function ScheduledJob(name: string, everyMs: number) {
  const schedule: Schedule = { name, everyMs };
  return <Method extends Turn>(
    prototype: object,
    method: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => void SetMetadata(SCHEDULE, schedule)(prototype, method, descriptor);
}

/** The jobs among the methods of an object. */
export function jobsOf(instance: object): JobDefinition[] {
  const methods = instance as Readonly<Record<string, Turn>>;
  return scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object).flatMap((name) => {
    const method = methods[name];
    const schedule = method && reflector.get<Schedule | undefined>(SCHEDULE, method);
    return schedule ? [{ ...schedule, run: (signal: AbortSignal) => method.call(instance, signal) }] : [];
  });
}
