import type { INestApplicationContext } from '@nestjs/common';
import { z } from 'zod';
import { ANYBODYS } from '../../database/by.js';
import { wireText } from '../../kernel/crypto-amount.js';
import { trimZeros } from '../../kernel/decimal.js';
import { messageOf } from '../../kernel/error-fields.js';
import { INTENT_STATUSES, type IntentStatus } from '../../kernel/intent-status.js';
import { paired, tableOf } from '../../kernel/lookups.js';
import { commandLine } from '../../modules/accounts/actor.pure.js';
import { AuditLog } from '../../modules/accounts/audit/audit-log.service.js';
import { ReviewsService } from '../../modules/intents/review/reviews.service.js';
import type { ReviewEntry } from '../../modules/intents/reviews.types.js';
import type { SandboxFile } from '../../modules/sandbox/sandbox-home.service.js';
import { Patience } from '../../platform/patience.js';
import { type Decision, endOf, type Order, ordersFor } from './orders.js';
import { callApi, Play } from './play.js';
import { furnish, redeliver } from './shop.js';

/** Few enough for two processor cores, and many enough that waiting for blocks is shared. */
const AT_ONCE = 6;
const FIRST_NUMBER = 1001;
/** Of buyers whose money waits: how many say where it should go back to. */
const REFUNDS_ASKED = 2;
/** Five minutes and more without anything new about any order: what never comes is reported and not awaited for ever. */
const PATIENCE = { everyMs: 700, looksInVain: 430 };

const NOTES: Readonly<Record<Decision, string>> = {
  accept: 'Regular customer; the rest came with the next order.',
  refund: 'Paid twice by mistake. Sent back what came the second time.',
  dismiss: 'The customer paid the rest in the shop.',
};

export interface Filled {
  /** What there is in all, with what earlier runs and other people made. */
  readonly statuses: Readonly<Record<IntentStatus, number>>;
  readonly reviews: Readonly<Record<string, number>>;
  readonly created: number;
  readonly decided: number;
  readonly redelivered: number;
  /** What could not be played to its end, and why. */
  readonly problems: readonly string[];
}

interface Played {
  readonly order: Order;
  readonly play: Play;
}

const PAGE = z.object({ total: z.number() });

/** Fills the running sandbox with `count` orders of a shop, each made by the flows that real ones take. */
export class DemoFill {
  private readonly problems: string[] = [];
  private readonly played: Played[] = [];
  private readonly patience = new Patience(PATIENCE);

  constructor(
    private readonly app: INestApplicationContext,
    private readonly sandbox: SandboxFile,
    /** One sentence of progress. */
    private readonly say: (text: string) => void,
  ) {}

  async run(count: number): Promise<Filled> {
    const startedAt = new Date();
    const endpoints = await furnish(this.app, this.sandbox);
    const first = FIRST_NUMBER + (await this.total());
    const orders = ordersFor(count, this.sandbox.networks).map((order, at) => ({
      order,
      number: first + at,
    }));
    // Those that settle within seconds come last, so that they are still to be seen.
    const isLast = ({ order }: { order: Order }) => order.scenario === 'just-paid';
    await this.playAll(orders.filter((each) => !isLast(each)));
    const decided = await this.decide();
    const redelivered = await redeliver(this.app, endpoints, startedAt);
    await this.playAll(orders.filter(isLast));
    return {
      statuses: await this.statuses(),
      reviews: countOf((await this.queue()).map(({ reason }) => reason)),
      created: this.played.length,
      decided,
      redelivered,
      problems: this.problems,
    };
  }

  private async playAll(orders: readonly { order: Order; number: number }[]): Promise<void> {
    const waiting = [...orders];
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await this.play(next.order, next.number);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  private async play(order: Order, number: number): Promise<void> {
    const { title, amount, currency, choice } = order;
    const name = `Order ${number}: ${title}, ${currency} ${amount.toFixed(2)}, ${choice.asset} on ${choice.network}`;
    try {
      const play = await Play.create(this.app, this.sandbox, order, number, this.patience);
      this.played.push({ order, play });
      this.say(`${name}: ${await play.toItsEnd()}`);
    } catch (error) {
      this.problems.push(`${name}: ${messageOf(error)}`);
      this.say(`${name}: ${messageOf(error)}`);
    }
  }

  /** Part of the queue, so that both the open entries and the decided ones are there to be looked at. */
  private async decide(): Promise<number> {
    const queued = this.played.filter(({ order }) => endOf(order, this.sandbox.networks).review !== null);
    let asked = 0;
    let decided = 0;
    for (const { order, play } of queued) {
      try {
        const entry = await this.entry(play.id, order.decision);
        if (order.decision) {
          await this.take(entry, order.decision);
          decided++;
        } else if (asked < REFUNDS_ASKED && entry.network === 'ethereum') {
          await play.askRefund();
          asked++;
        }
      } catch (error) {
        this.problems.push(`The review of ${play.id}: ${messageOf(error)}`);
      }
    }
    this.say(`Review queue: ${decided} decided, ${asked} buyers said where their money should go.`);
    return decided;
  }

  private async take({ intentId, received, transferIds }: ReviewEntry, decision: Decision): Promise<void> {
    const reviews = this.app.get(ReviewsService);
    const by = this.app.get(AuditLog).by(commandLine(this.sandbox.dashboard.email));
    if (decision === 'accept') {
      await reviews.accept(
        { whose: ANYBODYS, id: intentId, by },
        { reason: NOTES.accept, seen: transferIds },
      );
      return;
    }
    const refund =
      decision === 'refund' && received ? { amount: trimZeros(wireText(received)), txid: null } : undefined;
    return reviews.dismiss(
      { whose: ANYBODYS, id: intentId, by },
      { note: NOTES[decision], refund, seen: transferIds },
    );
  }

  /** Resolves when the intent is in the queue and, for an accept, when its money is final. */
  private entry(intentId: string, decision: Decision | null): Promise<ReviewEntry> {
    return this.patience.until<ReviewEntry>(
      async () => {
        const entry = (await this.queue()).find((each) => each.intentId === intentId);
        if (entry && (entry.final || decision !== 'accept')) return { found: entry };
        return { seen: entry ? 'not final' : 'not in the queue' };
      },
      (seen) => new Error(seen),
    );
  }

  private queue(): Promise<ReviewEntry[]> {
    return this.app.get(ReviewsService).list(this.sandbox.merchantId);
  }

  private async statuses(): Promise<Filled['statuses']> {
    const counts = await Promise.all(INTENT_STATUSES.map((status) => this.total(`&status=${status}`)));
    return tableOf(paired(INTENT_STATUSES, counts));
  }

  private async total(filter = ''): Promise<number> {
    return (await callApi(PAGE, this.sandbox, `?pageSize=1${filter}`)).total;
  }
}

function countOf(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
