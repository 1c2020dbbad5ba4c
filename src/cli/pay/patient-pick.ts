import { setTimeout as sleep } from 'node:timers/promises';
import { type Checkout, type Choice, NotAccepted, type Status } from './checkout-client.js';

/** Longer than the first look at the balances takes on a slow machine. */
const PATIENCE: Patience = { limitMs: 30_000, everyMs: 1_000 };

interface Patience {
  readonly limitMs: number;
  readonly everyMs: number;
}

/**
 * Picks, and waits where the option is closed: after a start the coin of a network is not offered before its balances have
 * been looked at once. A buyer tries again, too.
 * @throws Error once it has been closed for as long as that
 */
export async function patientPick(
  checkout: Pick<Checkout, 'pick'>,
  choice: Choice,
  { limitMs, everyMs }: Patience = PATIENCE,
): Promise<Status> {
  const option = `${choice.asset} on ${choice.network}`;
  const limit = `${limitMs / 1_000} s`;
  const untilMs = performance.now() + limitMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await checkout.pick(choice);
    } catch (error) {
      if (!(error instanceof NotAccepted) || error.notice !== 'option-closed') throw error;
      if (performance.now() >= untilMs)
        throw new Error(`${option} was not offered for ${limit}: the body of /health/ready says why.`, {
          cause: error,
        });
    }
    if (isFirst)
      process.stderr.write(
        `${option} is not offered at present, as right after a start. Waiting for it, at most ${limit}.\n`,
      );
    await sleep(everyMs);
  }
}
