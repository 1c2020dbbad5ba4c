import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { z } from 'zod';
import { newSecret } from '../../kernel/webhook-signature.js';
import { MerchantsService } from '../../modules/merchants/merchants.service.js';
import { EventsService } from '../../modules/webhooks/events.service.js';
import type { StoredEvent } from '../../modules/webhooks/webhooks.types.js';
import { withApp } from '../context.js';
import { type Answer, forward } from './forward.js';
import { type Progress, ProgressFile, SecretFile } from './progress.js';

export interface ListenOptions {
  readonly forwardTo: string;
  readonly merchantId: string;
  /** Statuses and types; without it, everything. */
  readonly events?: readonly string[];
  readonly secret?: string;
  readonly since?: Date;
}

/** Between two looks at the log of events. */
const POLL_MS = 300;
const RECONNECT_MS = 1_000;
const PAGE = 100;

/** The parts of an event that a line tells. */
const TOLD = z.object({
  type: z.string(),
  data: z.object({ intent: z.object({ id: z.string(), status: z.string() }).optional() }),
});

const say = (line: string) => process.stdout.write(`${line}\n`);

/**
 * Follows a merchant's events in the sandbox's database and hands them to a server on this machine, one after the
 * other. How far it is, is written down after each, so that neither its own restart nor another's loses one.
 */
export class Listener {
  private readonly file: ProgressFile;
  private readonly secret: string;
  private connected = false;
  private forwarded = 0;

  constructor(
    private readonly options: ListenOptions,
    dataDir: string,
    private readonly stop: AbortSignal,
  ) {
    const { merchantId, forwardTo } = options;
    this.file = new ProgressFile(dataDir, merchantId, forwardTo);
    this.secret = options.secret ?? new SecretFile(dataDir, merchantId).secret(newSecret);
  }

  /** Ends with `stop` alone: a sandbox that goes away comes back. @throws Error when the first connection fails */
  async run(): Promise<void> {
    while (!this.stop.aborted) {
      try {
        await withApp((app) => this.follow(app));
      } catch (error) {
        if (this.stop.aborted) break;
        if (!this.connected) throw error;
        await this.waitForSandbox();
      }
    }
    say(`Stopped. Forwarded: ${this.forwarded}. The next start goes on from here.`);
  }

  private async follow(app: INestApplicationContext): Promise<void> {
    const events = app.get(EventsService);
    const { name } = await app.get(MerchantsService).get(this.options.merchantId);
    let progress = await this.begin(events);
    if (!this.connected) this.introduce(name);
    this.connected = true;
    while (!this.stop.aborted) {
      const page = await events.after(this.options.merchantId, progress.cursor, PAGE);
      for (const event of page) {
        await this.handOn(event);
        progress = { cursor: events.advance(progress.cursor, event) };
        this.file.write(progress);
      }
      if (page.length === 0) await pause(POLL_MS, undefined, { signal: this.stop });
    }
  }

  private async begin(events: EventsService): Promise<Progress> {
    const known = this.file.read();
    const { since } = this.options;
    const startsAnew = !known || (since && !this.connected);
    const progress = { cursor: startsAnew ? await events.cursor(since) : known.cursor };
    this.file.write(progress);
    return progress;
  }

  private introduce(name: string): void {
    const { merchantId, forwardTo } = this.options;
    say(`Events of ${name} (${merchantId}) go to ${forwardTo}`);
    say(`They are signed with ${this.secret}`);
    say('Ctrl-C stops; the next start goes on where this one stopped.\n');
  }

  private async handOn(event: StoredEvent): Promise<void> {
    const { type, data } = TOLD.parse(JSON.parse(event.body));
    const { events } = this.options;
    // Of money that came after the end a status would say nothing.
    const what = type === 'payment.status' ? (data.intent?.status ?? type) : type;
    if (events && !events.includes(what) && !events.includes(type)) return;
    const label = `${event.createdAt.toISOString()}  ${what.padEnd(9)}  ${data.intent?.id ?? '-'} #${event.sequence}`;
    const answer = await forward(
      event,
      { url: this.options.forwardTo, secret: this.secret },
      this.stop,
      (reason) => say(`${label}  nobody answers (${reason}); trying until somebody does`),
    );
    this.forwarded += 1;
    say(`${label}  ${answerText(answer)}`);
  }

  private async waitForSandbox(): Promise<void> {
    say('The sandbox is away; waiting for it …');
    while (!this.stop.aborted) {
      await pause(RECONNECT_MS, undefined, { signal: this.stop }).catch(() => undefined);
      if (this.stop.aborted || (await withApp(() => Promise.resolve(true)).catch(() => false))) return;
    }
  }
}

function answerText({ status, durationMs }: Answer): string {
  return status === 'timeout' ? `no answer within ${durationMs} ms` : `${status} in ${durationMs} ms`;
}
