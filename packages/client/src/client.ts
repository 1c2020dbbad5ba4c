import { randomUUID } from 'node:crypto';
import { type CallOptions, type RappenOptions, Transport } from './transport.js';
import type {
  CreateIntentRequest,
  IntentWithPayment,
  ListEventsQuery,
  ListIntentsQuery,
  PageOfEvents,
  PageOfIntents,
  PaymentEvent,
  PaymentIntent,
} from './types.js';

const INTENTS = '/api/v1/intents';
const EVENTS = '/api/v1/events';
const PAGE_SIZE = 100;

export interface CreatedIntent {
  readonly intent: PaymentIntent;
  /** The key has been used before, and this is the intent of then: a new attempt takes a new key. */
  readonly replayed: boolean;
  /** Fields in which this request differs from that of then, which counts. */
  readonly mismatches: readonly string[];
}

/** Which intents to iterate over. */
export type IntentFilter = Omit<ListIntentsQuery, 'page' | 'pageSize'>;

/** A merchant's server's view of the service. Requests are repeated where that is safe, which here is everywhere. */
export class Rappen {
  private readonly transport: Transport;

  constructor(options: RappenOptions) {
    this.transport = new Transport(options);
  }

  /**
   * Creates an intent. Name an `idempotencyKey` of your own, such as the order's id, so that not even a crash
   * between two of your lines makes a second one. Without it a random key makes at least our retries safe.
   */
  async createIntent(request: CreateIntentRequest, options: CallOptions = {}): Promise<CreatedIntent> {
    const body = JSON.stringify({ ...request, idempotencyKey: request.idempotencyKey ?? randomUUID() });
    const answer = await this.transport.send({ method: 'POST', path: INTENTS, body, ...options });
    return {
      intent: answer.body as PaymentIntent,
      replayed: answer.headers.get('idempotent-replayed') === 'true',
      mismatches: answer.headers.get('idempotency-mismatch')?.split(', ') ?? [],
    };
  }

  /** The intent with its live status and what has arrived. @throws RappenProblem `intent-not-found` */
  async getIntent(id: string, options: CallOptions = {}): Promise<IntentWithPayment> {
    const path = `${INTENTS}/${encodeURIComponent(id)}`;
    return (await this.transport.send({ method: 'GET', path, ...options })).body as IntentWithPayment;
  }

  /**
   * Calls it off while nothing has completed it; one that is cancelled already stays so. `payment` says what has arrived
   * by then: that is in your wallet, and yours to refund.
   * @throws RappenProblem `intent-not-found`; `conflict` once it is complete or has ended otherwise
   */
  async cancelIntent(id: string, options: CallOptions = {}): Promise<IntentWithPayment> {
    const path = `${INTENTS}/${encodeURIComponent(id)}/cancel`;
    return (await this.transport.send({ method: 'POST', path, ...options })).body as IntentWithPayment;
  }

  /** One page, newest first. */
  async listIntents(query: ListIntentsQuery = {}, options: CallOptions = {}): Promise<PageOfIntents> {
    const path = `${INTENTS}${queryOf(query)}`;
    return (await this.transport.send({ method: 'GET', path, ...options })).body as PageOfIntents;
  }

  /** One page of events, oldest first. @throws RappenProblem `validation-error` when `after` is no event of yours */
  async listEvents(query: ListEventsQuery = {}, options: CallOptions = {}): Promise<PageOfEvents> {
    const path = `${EVENTS}${queryOf(query)}`;
    return (await this.transport.send({ method: 'GET', path, ...options })).body as PageOfEvents;
  }

  /**
   * Every event after the one with this id, oldest first, up to the latest: each once, in the order of their commit,
   * which never changes. Keep the id of the last of these that you have dealt with, and go on from it the next time.
   * @param after `null` for all from the first; after the id of a webhook, what precedes it here and has yet to arrive is left out
   */
  async *events(after: string | null, options: CallOptions = {}): AsyncGenerator<PaymentEvent, void> {
    for (let last = after; ;) {
      const query = last === null ? {} : { after: last };
      const { items, hasMore } = await this.listEvents({ ...query, pageSize: PAGE_SIZE }, options);
      for (const event of items) {
        yield event;
        last = event.id;
      }
      if (!hasMore) return;
    }
  }

  /**
   * Every intent that matches, newest first, page after page. What is created meanwhile is left out, so that
   * nothing moves between pages. With a status filter, an intent whose status changes meanwhile may be missed.
   */
  async *intents(filter: IntentFilter = {}, options: CallOptions = {}): AsyncGenerator<PaymentIntent, void> {
    let pinned = filter;
    for (let page = 1; ; page++) {
      const { items } = await this.listIntents({ ...pinned, page, pageSize: PAGE_SIZE }, options);
      yield* items;
      if (items.length < PAGE_SIZE) return;
      pinned = { ...filter, createdTo: pinned.createdTo ?? justAfter(items[0]) };
    }
  }
}

/** `createdTo` is exclusive, to the millisecond. */
function justAfter(newest: PaymentIntent | undefined): string | undefined {
  return newest && new Date(Date.parse(newest.createdAt) + 1).toISOString();
}

function queryOf(query: ListIntentsQuery | ListEventsQuery): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value ?? []].flat()) pairs.append(name, String(one));
  }
  return pairs.size > 0 ? `?${pairs.toString()}` : '';
}
