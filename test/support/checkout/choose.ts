import type { Checkout, Choice, Status } from '../../../src/cli/pay/checkout-client.js';
import { patientPick } from '../../../src/cli/pay/patient-pick.js';
import { BuyerActionsService } from '../../../src/modules/intents/checkout/buyer-actions.service.js';
import { Patience } from '../../../src/platform/patience.js';
import { eventually } from '../servers/receiver.js';
import type { Service } from '../service/service.js';

/** Picks an asset, as soon as it is offered: while its watcher has yet to catch up, an option is closed. */
export async function choose(service: Service, id: string, network: string, asset: string): Promise<void> {
  await eventually(
    async () => {
      const outcome = await service.app.get(BuyerActionsService).pick(id, network, asset);
      if (outcome !== 'option-closed' && outcome !== 'picked') throw new Error(outcome);
      return outcome;
    },
    (outcome) => outcome === 'picked',
  );
}

/** The same by the checkout's page, as `npm run pay` does. */
export const chosen = (checkout: Checkout, choice: Choice): Promise<Status> =>
  patientPick(checkout, choice, new Patience({ everyMs: 1_000, looksInVain: 120 }));
