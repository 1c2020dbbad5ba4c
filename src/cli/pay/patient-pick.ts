import type { Patience } from '../../platform/patience.js';
import { type Checkout, type Choice, NotAccepted, type Status } from './checkout-client.js';

/**
 * Picks, and waits where the option is closed: after a start the coin of a network is not offered before its balances have
 * been looked at once, and for a moment where a node is slow. A buyer tries again, too.
 * @param onClosed is called once, where it has to wait
 * @throws Error once the patience is over
 */
export function patientPick(
  checkout: Pick<Checkout, 'pick'>,
  choice: Choice,
  patience: Patience,
  onClosed: (option: string) => void = () => undefined,
): Promise<Status> {
  const option = `${choice.asset} on ${choice.network}`;
  let isFirst = true;
  return patience.until<Status>(
    async () => {
      try {
        return { found: await checkout.pick(choice) };
      } catch (error) {
        if (!(error instanceof NotAccepted) || error.notice !== 'option-closed') throw error;
      }
      if (isFirst) onClosed(option);
      isFirst = false;
      return { seen: 'closed' };
    },
    () => new Error(`${option} is still not offered: the body of /health/ready says why.`),
  );
}
