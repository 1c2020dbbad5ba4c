import type { Depth, NetworkConfig } from '../../../config/config.types.js';
import { expectedWaitS } from '../../../config/depths.js';
import { mulDiv } from '../../../kernel/arithmetic.js';
import type { Facts, Transfer } from '../../chains/chains.types.js';
import type { Intent, Quote } from './model.js';
import { settlementDepth } from './quoting.js';
import type { Places } from './places.js';
import { belongsTo, hasDepth, liveTransfers } from './transfers.js';

/** An intent with everything that says how deep its money has to be. */
export interface Judged {
  readonly intent: Pick<Intent, 'amountMinor'>;
  readonly quotes: readonly Quote[];
  readonly facts: Facts;
}

/**
 * Whether a transfer is final: it has the settlement depth of its quote, or of its own worth where that is more, or,
 * where nobody quoted it, the depth that the intent's amount would have needed on its network. Before that nobody is told that there is money: no alert, no event,
 * no refund, no line of the accounting export. On a network that is no longer configured nothing unquoted is ever final.
 */
export function isFinalMoney(transfer: Transfer, judged: Judged, places: Places): boolean {
  const depth = neededDepth(transfer, judged, places);
  return depth !== null && hasDepth(transfer, depth, judged.facts.tips.get(transfer.network));
}

/** All final money at the intent's addresses, oldest first. */
export function finalMoney(judged: Judged, places: Places): Transfer[] {
  return liveTransfers(judged.quotes, judged.facts).filter((transfer) =>
    isFinalMoney(transfer, judged, places),
  );
}

/** `null` where nothing says how deep it has to be: then it is never final. */
export function neededDepth(
  transfer: Transfer,
  { intent, quotes }: Pick<Judged, 'intent' | 'quotes'>,
  places: Places,
): Depth | null {
  const quoted = quotes.find((quote) => belongsTo(transfer, quote));
  const network = places.network(transfer.network);
  if (!quoted) return network && settlementDepth(network, intent.amountMinor);
  if (!network || transfer.amountAtoms <= quoted.amountAtoms) return quoted.settlementDepth;
  const worthMinor = mulDiv(intent.amountMinor, transfer.amountAtoms, quoted.amountAtoms, 'up');
  return deeper(network, quoted.settlementDepth, settlementDepth(network, worthMinor));
}

function deeper(network: NetworkConfig, one: Depth, other: Depth): Depth {
  return expectedWaitS(network, other) > expectedWaitS(network, one) ? other : one;
}
