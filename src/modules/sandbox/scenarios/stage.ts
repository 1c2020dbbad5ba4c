import type { CheckoutIntent } from '../../intents/checkout.types.js';
import type { ScenarioName } from '../scenarios.pure.js';

/** What a play knows of its intent, and what it may do beside paying. */
export interface Stage {
  readonly network: string;
  readonly asset: string;
  readonly address: string;
  /** What is still to be paid, in atoms of the asset. */
  readonly missing: bigint;
  /** Atoms for people: "62.375 USDC". */
  amountText(atoms: bigint): string;
  /**
   * Resolves when the buyer's page says so.
   * @param awaited for the message when it never does: "the payment is seen"
   */
  until(awaited: string, holds: (intent: CheckoutIntent) => boolean): Promise<CheckoutIntent>;
  /** Ends the payment window at once. @returns its last instant */
  endWindow(): Promise<Date>;
  /** One sentence for whoever started the play. */
  say(step: string): void;
}

export type Plays = Readonly<Partial<Record<ScenarioName, () => Promise<void>>>>;

export const isSettled = ({ status }: CheckoutIntent) => status === 'settled';
export const isExpired = ({ status }: CheckoutIntent) => status === 'expired';
export const isFailed = ({ status }: CheckoutIntent) => status === 'failed';
export const isConfirmed = ({ status }: CheckoutIntent) => status === 'confirmed';

/** Whether the page lists the transaction among what it counts, wherever it stands. */
export const lists = (txid: string) => (intent: CheckoutIntent) => transferOf(intent, txid) !== undefined;

export const listsNot = (txid: string) => (intent: CheckoutIntent) => !lists(txid)(intent);

/** Whether the transaction is in no block, as far as the page knows. */
export const isOutOfChain = (txid: string) => (intent: CheckoutIntent) =>
  transferOf(intent, txid)?.state !== 'included';

function transferOf({ quote }: CheckoutIntent, txid: string) {
  return quote?.transfers.find((transfer) => transfer.txid === txid);
}
