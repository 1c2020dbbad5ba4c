import { z } from 'zod';
import { panelPath, type PayPart, payPath } from '../../modules/intents/checkout-paths.pure.js';
import type { ScenarioName } from '../../modules/sandbox/scenarios.pure.js';
import { listOf, readForeign } from '../../platform/outgoing/read-foreign.js';
import { askServer } from '../ask-server.js';

/** What `/pay/:id/status` tells of a payment. */
const STATUS = z.object({
  status: z.string(),
  state: z.string(),
  asset: z.string().nullable(),
  network: z.string().nullable(),
  depositAddress: z.string().nullable(),
  received: z.string().nullable(),
  missing: z.string().nullable(),
});
export type Status = z.output<typeof STATUS>;

/** What the sandbox's panel tells of a scenario that it plays. */
const PLAYED = z.object({
  run: z
    .object({
      state: z.enum(['running', 'done', 'failed']),
      steps: listOf(z.string()),
      problem: z.string().nullable(),
    })
    .nullable(),
});
const BEGUN = z.object({ problem: z.string().nullable() });
const WINDOW = z.object({ expiresAt: z.string() });

export interface Choice {
  readonly asset: string;
  readonly network: string;
}

/** A form that the page did not accept. */
export class NotAccepted extends Error {
  /** @param notice what the page says of it; `null` where it says nothing */
  constructor(
    message: string,
    readonly notice: string | null,
  ) {
    super(message);
  }
}

/** The sandbox's checkout, as a buyer's browser uses it. */
export class Checkout {
  /** The buyer's page. */
  readonly page: string;

  constructor(
    private readonly checkoutUrl: string,
    private readonly id: string,
    /** For each answer; as long as a command waits for any, where nothing is said. */
    private readonly timeoutMs?: number,
  ) {
    this.page = checkoutUrl + payPath(id);
  }

  status(): Promise<Status> {
    return this.read(STATUS, this.checkoutUrl + payPath(this.id, 'status'));
  }

  /** Chooses as the page's form does, unless that is chosen already. */
  async pick({ asset, network }: Choice): Promise<Status> {
    const before = await this.status();
    if (before.asset === asset && before.network === network) return before;
    await this.post('asset', { asset, network });
    return this.status();
  }

  /** @throws with the sandbox's reason when the scenario is not begun */
  async begin(scenario: ScenarioName): Promise<void> {
    const { problem } = await this.read(BEGUN, this.panel(scenario), 'POST');
    if (problem !== null) throw new Error(problem);
  }

  async run(): Promise<z.output<typeof PLAYED>['run']> {
    return (await this.read(PLAYED, this.panel())).run;
  }

  /** @returns its last instant */
  async endWindow(): Promise<string> {
    return (await this.read(WINDOW, this.panel('end-window'), 'POST')).expiresAt;
  }

  /** As the buyer's button does, after its confirming step. */
  cancel(): Promise<void> {
    return this.post('cancel', {});
  }

  /** Says where what arrived should go back to, as the form on the page of an ended payment does. */
  async askRefund(to: { network: string; address: string; note: string }): Promise<void> {
    await this.post('refund-address', to, 'refund-stored');
  }

  /** Sends one of the page's forms. @param said the notice with which it was accepted */
  private async post(part: PayPart, form: Readonly<Record<string, string>>, said: string | null = null) {
    const { status, location } = await askServer(
      this.checkoutUrl + payPath(this.id, part),
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
        timeoutMs: this.timeoutMs,
      },
      ({ statusCode, headers }) => ({ status: statusCode, location: [headers['location']].flat()[0] }),
    );
    const notice = new URL(location ?? '', this.page).searchParams.get('notice');
    if (status !== 303 || notice !== said) {
      const sent = Object.values(form).join(', ');
      throw new NotAccepted(`The checkout did not accept ${part} ${sent}: ${notice ?? status}`, notice);
    }
  }

  private panel(button?: string): string {
    return this.checkoutUrl + panelPath(this.id, button);
  }

  private async read<Schema extends z.ZodType>(schema: Schema, url: string, method: 'GET' | 'POST' = 'GET') {
    const headers = { accept: 'application/json' };
    const answer = await askServer(
      url,
      { method, headers, timeoutMs: this.timeoutMs },
      ({ statusCode, body }) => {
        // 409 is an answer with a reason in it.
        if (statusCode >= 300 && statusCode !== 409)
          throw new Error(`The checkout answered ${statusCode} for ${this.page}`);
        return body.json();
      },
    );
    return readForeign(
      schema,
      answer,
      (problems) => new Error(`What the checkout answered for ${this.page} ${problems}`),
    );
  }
}
