import type { INestApplicationContext } from '@nestjs/common';
import { z } from 'zod';
import { fieldsOf } from '../../kernel/error-fields.js';
import { INTENT_STATUSES, type IntentStatus, isTerminal } from '../../kernel/intent-status.js';
import { commandLine } from '../../modules/accounts/actor.pure.js';
import { AuditLog } from '../../modules/accounts/audit/audit-log.service.js';
import { IntentsService } from '../../modules/intents/lifecycle/intents.service.js';
import type { SandboxFile } from '../../modules/sandbox/sandbox-home.service.js';
import type { ScenarioName } from '../../modules/sandbox/scenarios.pure.js';
import { readForeign } from '../../platform/outgoing/read-foreign.js';
import type { Patience } from '../../platform/patience.js';
import { askServer } from '../ask-server.js';
import { Checkout, NotAccepted } from '../pay/checkout-client.js';
import { send } from '../pay/once.js';
import { patientPick } from '../pay/patient-pick.js';
import { type DemoScenario, endOf, isDemoScenario, type Order } from './orders.js';

/** For an answer of a sandbox that has a dozen buyers at once, on a machine with much else to do. */
const TIMEOUT_MS = 120_000;
/** Of the buyer's own wallet, where a refund is asked to. */
const BUYER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const CREATED = z.object({ id: z.string() });
const READ = z.object({ status: z.enum(INTENT_STATUSES) });

/** Walks one order through the product: the shop's API, the buyer's checkout, transactions on the local chain. */
export class Play {
  private readonly checkout: Checkout;

  private constructor(
    private readonly app: INestApplicationContext,
    private readonly sandbox: SandboxFile,
    private readonly order: Order,
    /** All orders of a fill have the same. */
    private readonly patience: Patience,
    readonly id: string,
  ) {
    this.checkout = new Checkout(sandbox.checkoutUrl, id, TIMEOUT_MS);
  }

  /** @param number of the order, which is its idempotency key too: no two orders have the same */
  static async create(
    app: INestApplicationContext,
    sandbox: SandboxFile,
    order: Order,
    number: number,
    patience: Patience,
  ): Promise<Play> {
    const { title, amount, currency } = order;
    const { id } = await callApi(CREATED, sandbox, '', {
      amount,
      currency,
      title: `Order ${number}: ${title}`,
      idempotencyKey: `order-${number}`,
      returnUrl: `https://demo-shop.example/orders/${number}`,
    });
    return new Play(app, sandbox, order, patience, id);
  }

  /** @returns the status in which the order was left */
  async toItsEnd(): Promise<IntentStatus> {
    const { scenario, choice } = this.order;
    const { ends, before } = endOf(this.order, this.sandbox.networks);
    if (scenario === 'unpicked') return ends;
    await patientPick(this.checkout, choice, this.patience);
    if (isDemoScenario(scenario)) await this.playDemoScenario(scenario);
    else await this.playScenario(scenario);
    if (before !== null) {
      // What came has to be observed first: a window that has ended lets nothing become `pending`.
      await this.until(before);
      await this.checkout.endWindow();
    }
    return this.until(ends);
  }

  private async playDemoScenario(scenario: DemoScenario): Promise<void> {
    if (scenario === 'unpaid') await this.checkout.endWindow();
    if (scenario === 'called-off') await this.checkout.cancel();
    if (scenario === 'just-paid') await this.playScenario('exact');
    if (scenario === 'part') await this.playScenario('short');
    if (scenario === 'part-called-off') {
      await this.playScenario('short');
      await this.until('pending');
      const by = this.app.get(AuditLog).by(commandLine(this.sandbox.dashboard.email));
      const { merchantId } = this.sandbox;
      await this.app
        .get(IntentsService)
        .cancel({ whose: merchantId, id: this.id, by }, 'cancelled-by-merchant');
    }
    if (scenario === 'lost-and-paid') {
      const { depositAddress: to, missing: amount } = await this.checkout.status();
      await this.playScenario('reorg-lost');
      await this.until('failed');
      if (to && amount) await send(this.sandbox.networks, { ...this.order.choice, to, amount });
    }
  }

  /**
   * Where the buyer wants its money back: only where the queue has it. The page accepts it once the money is final, so it is told
   * again for as long as the page does not.
   * @throws NotAccepted with what the page said last, once the patience is over; at once what is no answer of the page
   */
  askRefund(): Promise<void> {
    const { network } = this.order.choice;
    const to = { network, address: BUYER, note: 'Sent from an exchange, please send it back.' };
    let refusal: Error;
    return this.patience.until<void>(
      async () => {
        try {
          return { found: await this.checkout.askRefund(to) };
        } catch (error) {
          if (!(error instanceof NotAccepted)) throw error;
          refusal = error;
        }
        // The same whatever it says: that it refuses for another reason (too many at once) is nothing that goes on.
        return { seen: 'not accepted' };
      },
      () => refusal,
    );
  }

  /** @returns the status awaited, or the end of an order that was quicker than we look */
  private until(awaited: IntentStatus): Promise<IntentStatus> {
    return this.patience.until<IntentStatus>(
      async () => {
        const { status } = await callApi(READ, this.sandbox, `/${this.id}`);
        if (status === awaited || (isTerminal(status) && !isTerminal(awaited))) return { found: status };
        if (isTerminal(status)) throw this.isNot(awaited, status);
        return { seen: status };
      },
      (status) => this.isNot(awaited, status),
    );
  }

  private isNot(awaited: IntentStatus, status: string): Error {
    return new Error(`${this.id} is ${status} and not ${awaited}.`);
  }

  private async playScenario(name: ScenarioName): Promise<void> {
    await this.checkout.begin(name);
    await this.patience.until(
      async () => {
        const run = await this.checkout.run();
        if (run?.state === 'done') return { found: null };
        if (run?.state !== 'running')
          throw new Error(`${name} did not work: ${run?.problem ?? 'no such run'}`);
        return { seen: run.steps.join(' ') };
      },
      (steps) => new Error(`${name} does not go on${steps && ` after: ${steps}`}`),
    );
  }
}

/** The merchant's own API, with the demo shop's key. @throws with the problem's sentence, or what of the answer is not as `schema` says */
export async function callApi<Schema extends z.ZodType>(
  schema: Schema,
  { baseUrl, apiKey }: SandboxFile,
  path: string,
  body?: Readonly<Record<string, unknown>>,
): Promise<z.output<Schema>> {
  const question = {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    timeoutMs: TIMEOUT_MS,
    ...(body && { body: JSON.stringify(body) }),
  } as const;
  const { status, answer } = await askServer(
    `${baseUrl}/api/v1/intents${path}`,
    question,
    async ({ statusCode, body: told }) => ({ status: statusCode, answer: await told.json() }),
  );
  if (status >= 300) throw new Error(`The API answered ${status}: ${String(fieldsOf(answer).detail)}`);
  return readForeign(schema, answer, (problems) => new Error(`The API's answer ${problems}`));
}
