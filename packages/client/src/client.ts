import { randomUUID } from 'node:crypto';
import { Transport, type CallOptions, type RappenOptions } from './transport.js';
import type { CreateIntentRequest, ListIntentsQuery, PageOfIntents, PaymentIntent } from './types.js';

const INTENTS = '/api/v1/intents';
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

  /** The intent with its live status. @throws RappenProblem `intent-not-found` */
  async getIntent(id: string, options: CallOptions = {}): Promise<PaymentIntent> {
    const path = `${INTENTS}/${encodeURIComponent(id)}`;
    return (await this.transport.send({ method: 'GET', path, ...options })).body as PaymentIntent;
  }

  /** One page, newest first. */
  async listIntents(query: ListIntentsQuery = {}, options: CallOptions = {}): Promise<PageOfIntents> {
    const path = `${INTENTS}${queryOf(query)}`;
    return (await this.transport.send({ method: 'GET', path, ...options })).body as PageOfIntents;
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

function queryOf(query: ListIntentsQuery): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value ?? []].flat()) pairs.append(name, String(one));
  }
  return pairs.size > 0 ? `?${pairs.toString()}` : '';
}
