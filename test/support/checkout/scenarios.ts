import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { Checkout, type Choice } from '../../../src/cli/pay/checkout-client.js';
import type { SandboxFile } from '../../../src/modules/sandbox/sandbox-home.service.js';
import { SCENARIO_NAMES, type ScenarioName, SCENARIOS } from '../../../src/modules/sandbox/scenarios.pure.js';
import {
  type Course,
  NETWORK_KINDS,
  type NetworkKind,
  type Outcome,
} from '../../../src/modules/sandbox/scenarios.types.js';
import { eventually, type Receiver } from '../servers/receiver.js';
import { chosen } from './choose.js';

/** What is paid with on each kind of network. */
export const CHOICES: Readonly<Record<NetworkKind, Choice>> = {
  'evm-token': { network: 'ethereum', asset: 'USDC' },
  'evm-coin': { network: 'ethereum', asset: 'ETH' },
  'bitcoin-like': { network: 'litecoin', asset: 'LTC' },
};

export interface Case {
  readonly scenario: ScenarioName;
  readonly kind: NetworkKind;
  readonly outcome: Outcome;
}

/** Every scenario on every kind of network on which it can be played. */
export function casesOn(kinds: readonly NetworkKind[]): Case[] {
  return SCENARIO_NAMES.flatMap((scenario) =>
    NETWORK_KINDS.filter((kind) => kinds.includes(kind)).flatMap((kind) => {
      const course: Course = SCENARIOS[scenario].courses[kind];
      return 'outcome' in course ? [{ scenario, kind, outcome: course.outcome }] : [];
    }),
  );
}

/** What came of a case, but for the review queue. */
export interface Seen {
  readonly id: string;
  readonly statuses: readonly string[];
  readonly settlement: Outcome['settlement'];
}

const LONG_ENOUGH_MS = 120_000;
/** Few enough looks that plays at once leave the processor to those who work. */
const LOOK_EVERY_MS = 500;

/** A merchant's developer who tries everything out: creates, picks, plays, and listens. */
export class Stand {
  constructor(
    private readonly sandbox: SandboxFile,
    private readonly receiver: Receiver,
  ) {}

  async create(): Promise<string> {
    const response = await fetch(`${this.sandbox.baseUrl}/api/v1/intents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.sandbox.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: 49.9, currency: 'CHF' }),
    });
    return ((await response.json()) as { id: string }).id;
  }

  checkout(id: string): Checkout {
    return new Checkout(this.sandbox.checkoutUrl, id);
  }

  async play({ scenario, kind, outcome }: Case): Promise<Seen> {
    const id = await this.create();
    const checkout = this.checkout(id);
    await chosen(checkout, CHOICES[kind]);
    await checkout.begin(scenario);
    await this.done(checkout);
    const { statuses, whenWindowEnds } = outcome;
    if (whenWindowEnds) {
      // What comes before has to be observed first: a window that has ended lets nothing become `pending`.
      await this.events(id, statuses.length - 1);
      await checkout.endWindow();
    }
    await this.events(id, statuses.length);
    return { id, statuses: this.receiver.statusesOf(id), settlement: await this.settlement(id) };
  }

  private async done(checkout: Checkout): Promise<void> {
    for (;;) {
      const run = await checkout.run();
      if (run?.state === 'done') return;
      if (run?.state !== 'running') throw new Error(`${checkout.page}: ${run?.problem ?? 'no run'}`);
      await sleep(LOOK_EVERY_MS);
    }
  }

  private events(id: string, count: number): Promise<unknown> {
    return eventually(
      () => this.receiver.statusesOf(id),
      (seen) => seen.length >= count,
      LONG_ENOUGH_MS,
    );
  }

  /** In percent of the quote, as the record of the settlement says. */
  private async settlement(id: string): Promise<Outcome['settlement']> {
    const client = new Client({ connectionString: this.sandbox.databaseUrl });
    await client.connect();
    try {
      const { rows } = await client.query<{ received: number; excess: number }>(
        `SELECT (s.received_atoms * 100 / q.amount_atoms)::float AS received,
                (s.excess_atoms * 100 / q.amount_atoms)::float AS excess
         FROM settlement s JOIN quote q ON q.id = s.quote_id WHERE s.intent_id = $1`,
        [id],
      );
      return rows[0] ?? null;
    } finally {
      await client.end();
    }
  }
}
