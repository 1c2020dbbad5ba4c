import { setTimeout as pause } from 'node:timers/promises';
import { fieldsOf, messageOf } from '../../kernel/error-fields.js';
import { sign, WEBHOOK_USER_AGENT } from '../../kernel/webhook-signature.js';
import type { StoredEvent } from '../../modules/webhooks/webhooks.types.js';
import { DeadlineExceeded } from '../../platform/deadline.js';
import { askServer } from '../ask-server.js';

/** Between two tries at a server that is being started. */
const RETRY_MS = 1_000;

export interface Destination {
  readonly url: string;
  readonly secret: string;
}

export interface Answer {
  readonly status: number | 'timeout';
  readonly durationMs: number;
}

/**
 * Signs an event anew and posts it until something answers: a server that is down for a moment loses nothing. Whatever
 * it answers is its word, and is not tried again.
 * @param onUnreachable called once, with the reason, when nobody answers
 * @throws AbortError when `stop` says so; the event counts as not delivered then
 */
export async function forward(
  event: StoredEvent,
  destination: Destination,
  stop: AbortSignal,
  onUnreachable: (reason: string) => void,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const startedAtMs = performance.now();
    const answer = await post(event, destination, stop).catch((error: unknown) => {
      stop.throwIfAborted();
      if (tries === 1) onUnreachable(reasonOf(error));
      return null;
    });
    if (answer !== null) return { status: answer, durationMs: Math.round(performance.now() - startedAtMs) };
    await pause(RETRY_MS, undefined, { signal: stop });
  }
}

async function post(
  { id, body }: StoredEvent,
  { url, secret }: Destination,
  stopping: AbortSignal,
): Promise<Answer['status']> {
  try {
    const headers = {
      'content-type': 'application/json',
      'user-agent': WEBHOOK_USER_AGENT,
      ...sign([secret], id, Math.floor(Date.now() / 1_000), body),
    };
    return await askServer(url, { method: 'POST', headers, body, stopping }, ({ statusCode }) => statusCode);
  } catch (error) {
    if (error instanceof DeadlineExceeded) return 'timeout';
    throw error;
  }
}

function reasonOf(error: unknown): string {
  const { code } = fieldsOf(error);
  return typeof code === 'string' ? code : messageOf(error);
}
