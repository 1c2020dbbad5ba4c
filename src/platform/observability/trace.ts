import { AsyncLocalStorage } from 'node:async_hooks';
import { takeRandomBytes } from '../../kernel/random-bytes.js';

/** W3C trace context; version ff and ids of zeros are none. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

const current = new AsyncLocalStorage<string | undefined>();

/** The id that a valid `traceparent` carries, or a new one. */
export function traceIdFrom(traceparent: string | undefined): string {
  return (traceparent && TRACEPARENT.exec(traceparent)?.[1]) || takeRandomBytes(16).toString('hex');
}

export function withTrace<T>(traceId: string, work: () => T): T {
  return current.run(traceId, work);
}

/** For work that a request only sets off: it serves everybody, and must not speak in that request's name. */
export function outsideTrace<T>(work: () => T): T {
  return current.run(undefined, work);
}

/** The trace of the request that this code runs for; `undefined` in background work. */
export function currentTraceId(): string | undefined {
  return current.getStore();
}

/** Not so in jobs, whoever woke them. */
export function isForRequest(): boolean {
  return current.getStore() !== undefined;
}
