import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { amountText } from '../../../kernel/crypto-amount.js';
import { notFound } from '../../../kernel/domain-error.js';
import { messageOf } from '../../../kernel/error-fields.js';
import { Patience } from '../../../platform/patience.js';
import { FactsService } from '../../chains/facts.service.js';
import type { CheckoutIntent } from '../../intents/checkout.types.js';
import { CheckoutIntentsService } from '../../intents/checkout/checkout-intents.service.js';
import type { CoinBuyer } from '../buyers/coin-buyer.service.js';
import type { EvmBuyer } from '../buyers/evm-buyer.service.js';
import type { ScenarioRun } from '../scenario-run.types.js';
import { type ScenarioName, SCENARIOS } from '../scenarios.pure.js';
import type { Course, NetworkKind } from '../scenarios.types.js';
import { coinPlays } from './coin-plays.js';
import { evmPlays } from './evm-plays.js';
import { PaymentWindow } from './payment-window.js';
import type { Plays, Stage } from './stage.js';

/** Who pays on which network. */
export interface LocalBuyers {
  readonly evm: ReadonlyMap<string, EvmBuyer>;
  readonly coins: ReadonlyMap<string, CoinBuyer>;
}

export const LOCAL_BUYERS = Symbol('LocalBuyers');

/** Three minutes and more without anything new: what never comes is reported and not awaited for ever. */
const PATIENCE = { everyMs: 200, looksInVain: 900 };
/** More than a sandbox ever has. */
const MOST_CHANGES = 10_000;
/** Runs that are remembered; a developer looks at the last one. */
const KEEP_RUNS = 200;

type Quote = NonNullable<CheckoutIntent['quote']>;

/** Plays the buyer, and the network's accidents, on the local chains. */
@Injectable()
export class ScenariosService implements OnModuleDestroy {
  private readonly runs = new Map<string, ScenarioRun>();
  private readonly playing = new Set<Promise<void>>();
  /** Of all that are played: one may wait for the blocks that another keeps from being mined. */
  private readonly patience = new Patience(PATIENCE);
  private stopping = false;

  constructor(
    private readonly intents: CheckoutIntentsService,
    private readonly window: PaymentWindow,
    private readonly facts: FactsService,
    @Inject(LOCAL_BUYERS) private readonly buyers: LocalBuyers,
  ) {}

  /** @throws DomainError `intent-not-found` */
  async intent(id: string): Promise<CheckoutIntent> {
    const intent = await this.intents.find(id);
    if (!intent) throw notFound('There is no such payment.', 'intent-not-found');
    return intent;
  }

  /** The last one of an intent since this process started. */
  runOf(id: string): ScenarioRun | null {
    return this.runs.get(id) ?? null;
  }

  /** @throws DomainError `intent-not-found` */
  async endWindow(id: string): Promise<Date> {
    const end = await this.window.end(id);
    if (!end) throw notFound('There is no such payment.', 'intent-not-found');
    return end;
  }

  /** What a scenario would do to the asset that was picked; `null` while nothing was. */
  courseOf(name: ScenarioName, { quote }: CheckoutIntent): Course | null {
    return quote ? SCENARIOS[name].courses[this.kindOf(quote)] : null;
  }

  /** Why a scenario cannot be played now; `null` when it can. */
  refusal(intent: CheckoutIntent, name: ScenarioName): string | null {
    const course = this.courseOf(name, intent);
    const { status, quote } = intent;
    if (this.runOf(intent.id)?.state === 'running')
      return 'Another scenario is still running for this payment.';
    if (!course || !quote) return 'Nothing has been picked yet: choose an asset at the checkout first.';
    if ('impossible' in course) {
      return `"${name}" is not possible with ${quote.asset} on ${quote.networkName}: ${course.impossible}.`;
    }
    const payable =
      status === 'initiated' || status === 'pending' || (name === 'late' && status === 'expired');
    if (!payable || quote.complete) return `This payment is ${status}: there is nothing left to pay.`;
    return null;
  }

  /**
   * Begins a scenario and returns at once; `runOf` tells how it goes.
   * @returns why it was not begun; `null` when it was
   * @throws DomainError `intent-not-found`
   */
  async start(id: string, name: ScenarioName): Promise<string | null> {
    const intent = await this.intent(id);
    const refusal = this.refusal(intent, name);
    if (refusal !== null || !intent.quote) return refusal;
    const play = this.playsOf(id, intent.quote, name)[name];
    if (!play) throw new Error(`the scenario ${name} has no play`);
    this.note(id, { scenario: name, state: 'running', steps: [], problem: null });
    const played = play().then(
      () => this.update(id, { state: 'done' }),
      (error: unknown) => this.update(id, { state: 'failed', problem: messageOf(error) }),
    );
    this.playing.add(played);
    void played.finally(() => this.playing.delete(played));
    return null;
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.playing);
  }

  private kindOf({ network, asset }: Quote): NetworkKind {
    const evm = this.buyers.evm.get(network);
    if (!evm) return 'bitcoin-like';
    return asset === evm.chain.coin ? 'evm-coin' : 'evm-token';
  }

  private playsOf(id: string, quote: Quote, name: ScenarioName): Plays {
    const { network } = quote;
    const coin = this.buyers.coins.get(network);
    if (coin) return coinPlays(this.stage(id, quote), coin);
    const buyer = this.buyers.evm.get(network);
    const elsewhere = [...this.buyers.evm].find(([other]) => other !== network);
    if (!buyer || !elsewhere) throw new Error(`the sandbox cannot play ${name} on ${network}`);
    const places = { buyer, elsewhere: { network: elsewhere[0], buyer: elsewhere[1] } };
    return evmPlays(this.stage(id, quote), places);
  }

  private stage(id: string, { network, asset, address, missing }: Quote): Stage {
    const { atoms, decimals } = missing;
    return {
      network,
      asset,
      address,
      missing: atoms,
      amountText: (value) => amountText({ atoms: value, decimals, asset }),
      until: (awaited, holds) => this.until(id, awaited, holds),
      endWindow: async () => {
        const end = await this.endWindow(id);
        this.say(id, `Ended the payment window at ${end.toISOString()}.`);
        return end;
      },
      say: (step) => this.say(id, step),
    };
  }

  private until(
    id: string,
    awaited: string,
    holds: (intent: CheckoutIntent) => boolean,
  ): Promise<CheckoutIntent> {
    return this.patience.until<CheckoutIntent>(
      async () => {
        if (this.stopping) throw new Error('The sandbox was stopped.');
        const intent = await this.intent(id);
        if (holds(intent) && (await this.isDecided(id))) return { found: intent };
        return { seen: progressOf(intent) };
      },
      () => new Error(`Waited in vain until ${awaited}.`),
    );
  }

  /** The page shows facts as they are recorded; whoever acts upon them must come after the decision. */
  private async isDecided(id: string): Promise<boolean> {
    const undecided = await this.facts.changes(MOST_CHANGES);
    return undecided.every(({ subject }) => subject !== id);
  }

  private say(id: string, step: string): void {
    this.patience.goesOn();
    this.update(id, { steps: [...(this.runOf(id)?.steps ?? []), step] });
  }

  private update(id: string, change: Partial<ScenarioRun>): void {
    const run = this.runOf(id);
    if (run) this.runs.set(id, { ...run, ...change });
  }

  private note(id: string, run: ScenarioRun): void {
    this.runs.delete(id); // the newest stands last
    this.runs.set(id, run);
    const [oldest] = this.runs.keys();
    if (this.runs.size > KEEP_RUNS && oldest !== undefined) this.runs.delete(oldest);
  }
}

/** How far a payment is, as its page tells. Its confirmations would go on for ever. */
function progressOf({ status, quote }: CheckoutIntent): string {
  const transfers = quote?.transfers ?? [];
  return [status, ...transfers.map(({ txid, state }) => `${txid} ${state}`)].join();
}
