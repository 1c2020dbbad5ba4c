import type { Depth } from '../../../config/config.types.js';
import { COUNTED_BLOCKS, expectedWaitS } from '../../../config/depths.js';
import { mulDiv } from '../../../kernel/arithmetic.js';
import type { Facts, Transfer } from '../../chains/chains.types.js';
import type { Intent, Quote } from './model.js';
import type { Places } from './places.js';
import { settlementDepth } from './quoting.js';
import { belongsTo, hasDepth, liveTransfers, liveTransfersOf, sumAtoms } from './transfers.js';

/** An intent with everything that says how deep its money has to be. */
export interface Judged {
  readonly intent: Pick<Intent, 'amountMinor'>;
  readonly quotes: readonly Quote[];
  readonly facts: Facts;
}

/**
 * Which transfers of an intent are final as money beyond a price. One is when it has the depth of all that came for the intent, or, where nobody
 * quoted it and its worth is not known, the deepest of its network. Before that nobody is told that there is such money:
 * no alert, no event, no refund. What a price may rest on is another rule: its quote's depth (`finalTransfersOf`).
 */
export function finalIn(judged: Judged, places: Places): (transfer: Transfer) => boolean {
  const worthMinor = worthOf(judged);
  return (transfer) => {
    const tip = judged.facts.tips.get(transfer.network);
    return neededDepths(transfer, worthMinor, judged, places).every((depth) =>
      hasDepth(transfer, depth, tip),
    );
  };
}

/** All final money at the intent's addresses, oldest first. */
export function finalMoney(judged: Judged, places: Places): Transfer[] {
  return liveTransfers(judged.quotes, judged.facts).filter(finalIn(judged, places));
}

/** How deep each transfer must stay once it is final. */
export function depthsIn(judged: Judged, places: Places): (transfer: Transfer) => Depth {
  const worthMinor = worthOf(judged);
  return (transfer) => neededDepths(transfer, worthMinor, judged, places)[0];
}

/**
 * Of a network that is configured no more, so that nobody knows its depths: as deep as any network's can be. The watcher tells
 * of each transfer once more at that depth, so it is announced then, whichever networks the instance that is told knows.
 */
const DEEPEST_OF_ALL = ['finalized', COUNTED_BLOCKS] as const;

/** All of these have to be reached. */
function neededDepths(
  transfer: Transfer,
  worthMinor: bigint,
  { intent, quotes }: Judged,
  places: Places,
): readonly [Depth, ...Depth[]] {
  const network = places.network(transfer.network);
  const quoted = quotes.find((quote) => belongsTo(transfer, quote));
  const onNetwork = quoted ?? quotes.find((quote) => quote.network === transfer.network);
  const tiers = onNetwork?.settlementDepths ?? network?.settlementDepths ?? null;
  if (!quoted) return tiers ? [tiers[3]] : DEEPEST_OF_ALL;
  if (!tiers || worthMinor <= intent.amountMinor) return [quoted.settlementDepth];
  const byWorth = settlementDepth({ settlementDepths: tiers }, worthMinor);
  const isSlower =
    !network || expectedWaitS(network, byWorth) > expectedWaitS(network, quoted.settlementDepth);
  return [isSlower ? byWorth : quoted.settlementDepth];
}

/** Of all quoted money that came for the intent, by the quotes: an amount does not wait less because it came in parts. */
function worthOf({ intent, quotes, facts }: Judged): bigint {
  return quotes.reduce((sum, quote) => {
    const atoms = sumAtoms(liveTransfersOf(quote, facts));
    return sum + mulDiv(intent.amountMinor, atoms, quote.amountAtoms, 'up');
  }, 0n);
}
