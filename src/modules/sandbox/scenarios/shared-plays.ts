import { isExpired, isSettled, type Plays, type Stage } from './stage.js';

export interface Payer {
  /** @returns the transaction's id */
  pay(atoms: bigint): Promise<string>;
  /** Resolves when whatever is paid from now on is later than `end` by the network's own clock too. */
  after(end: Date): Promise<void>;
}

/** What is done in the same way on every network. */
export function sharedPlays(stage: Stage, payer: Payer): Plays {
  const { missing } = stage;
  const send = async (atoms: bigint) => {
    stage.say(`Sent ${stage.amountText(atoms)} on ${stage.network}: ${await payer.pay(atoms)}`);
  };
  return {
    exact: () => send(missing),
    short: () => send(missing / 2n),
    over: () => send(missing + missing / 10n),
    split: async () => {
      await send(missing / 2n);
      await send(missing - missing / 2n);
    },
    double: async () => {
      await send(missing);
      await stage.until('the first payment is settled', isSettled);
      await send(missing);
    },
    late: async () => {
      const end = await stage.endWindow();
      await stage.until('the payment is expired', isExpired);
      await payer.after(end);
      await send(missing);
    },
  };
}
