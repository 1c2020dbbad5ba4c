import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { verifyWebhook } from '@rappen/client';
import { Webhook } from 'standardwebhooks';
import type { EventBody } from '../../../src/modules/intents/domain/present.js';

/** A merchant's webhook receiver that trusts the public `standardwebhooks` package; our client must agree with it. */
export class Receiver {
  readonly events: EventBody[] = [];
  /** Deliveries that did not verify. */
  refused = 0;
  secret = '';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const ok = receiver.accept(
          Buffer.concat(chunks).toString(),
          request.headers as Record<string, string>,
        );
        response.writeHead(ok ? 204 : 401).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  /** Of one intent, in the order of their sequence, each once. */
  eventsOf(intentId: string): EventBody[] {
    const mine = this.events.filter((event) => event.data.intent.id === intentId);
    return [...new Map(mine.map((event) => [event.sequence, event])).values()].sort(
      (a, b) => a.sequence - b.sequence,
    );
  }

  statusesOf(intentId: string): string[] {
    return this.eventsOf(intentId).map((event) => event.data.intent.status);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(raw: string, headers: Record<string, string>): boolean {
    try {
      const event = new Webhook(this.secret).verify(raw, headers) as EventBody;
      verifyWebhook(this.secret, headers, raw);
      // Merchants recognise a repetition by either of the two.
      if (headers['webhook-id'] !== event.id) throw new Error('the header names another event than the body');
      this.events.push(event);
      return true;
    } catch {
      this.refused += 1;
      return false;
    }
  }
}

/** Looks every 50 ms until something holds; fails with what it saw last. By default before what rests for a minute goes on. */
export async function eventually<T>(
  look: () => T | Promise<T>,
  holds: (seen: T) => boolean,
  timeoutMs = 50_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (Date.now() > deadline) throw new Error(`still ${inspect(seen)} after ${timeoutMs} ms`);
    await sleep(50);
  }
}
