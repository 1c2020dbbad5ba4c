import { isNothing } from '../../../kernel/crypto-amount.js';
import { formatFiat } from '../../../kernel/fiat.js';
import type { DetailQuote, PaymentDetail } from '../../intents/payments.types.js';
import { coinText } from '../domain/amounts.js';
import { moment, type TimeText } from '../domain/times.js';
import { causeMessage, reviewMessage } from './messages.js';

/** What is, and why; then what comes now. */
export interface Sentence {
  readonly what: string;
  /** "… until" this moment. */
  readonly until: TimeText | null;
  readonly now: string;
}

const NOTHING_TO_DO = 'Nothing is to be done.';
const BY_ITSELF = 'It settles by itself once the network cannot undo it any more.';

/** The page's first line: somebody who reads only this knows how the payment stands. */
export function sentenceOf(detail: PaymentDetail): Sentence {
  const { intent, inReview, settlement, transitions } = detail;
  const quote = detail.quotes.find(({ shown }) => shown);
  const until = moment(new Date(intent.expiresAt));
  const said = (what: string, now: string): Sentence => ({ what, until: null, now });
  if (inReview !== null)
    return said(`${arrived(detail, quote)} ${whyInReview(inReview)}`, 'It waits for your decision.');
  switch (intent.status) {
    case 'initiated':
      if (!quote) return { what: 'The buyer has not chosen how to pay, and can', until, now: NOTHING_TO_DO };
      return { what: `Nothing has arrived. ${whole(quote)} can be paid`, until, now: NOTHING_TO_DO };
    case 'pending':
      if (quote && isShort(quote))
        return { what: `${arrived(detail, quote)} The rest can be paid`, until, now: NOTHING_TO_DO };
      return said(`${arrived(detail, quote)} It is not in a block that counts yet.`, BY_ITSELF);
    case 'confirmed':
      return said(`${arrived(detail, quote)} It is in a block.`, BY_ITSELF);
    case 'settled': {
      if (!settlement) return said('It is paid.', NOTHING_TO_DO);
      const { received, asset, networkName, fiatMinor } = settlement;
      const worth = `${intent.currency} ${formatFiat(fiatMinor)}`;
      return said(`Paid: ${coinText(received, asset)} on ${networkName}, worth ${worth}.`, rest(settlement));
    }
    case 'expired':
    case 'cancelled':
    case 'failed': {
      const why = transitions.at(-1);
      const begin = why ? `${causeMessage(why.cause)}. ` : '';
      const isEmpty = detail.transfers.every(({ own, beforeIssue }) => own || beforeIssue);
      return isEmpty
        ? said(`${begin}No money has arrived.`, 'What comes later goes to the review queue.')
        : said(`${begin}${arrived(detail, quote)}`, 'What becomes of it is decided.');
    }
  }
}

/** That too little arrived is said by the numbers before it. */
function whyInReview(reason: NonNullable<PaymentDetail['inReview']>): string {
  return reason === 'underpaid' ? 'The rest did not come in time.' : `${reviewMessage(reason)}.`;
}

function rest({ excess, asset, acceptedBy }: NonNullable<PaymentDetail['settlement']>): string {
  if (acceptedBy !== null) return 'It was accepted with what arrived.';
  return isNothing(excess) ? NOTHING_TO_DO : `Overpaid by ${coinText(excess, asset)}.`;
}

function arrived({ transfers }: PaymentDetail, quote: DetailQuote | undefined): string {
  if (quote && !isNothing(quote.received)) {
    const { asset, networkName, received, quoted } = quote;
    return isShort(quote)
      ? `${coinText(received, asset).split('\u00a0')[0]} of ${coinText(quoted, asset)} on ${networkName} arrived.`
      : `${coinText(received, asset)} on ${networkName} arrived.`;
  }
  const other = transfers.find(({ own, beforeIssue }) => !own && !beforeIssue);
  if (!other) return 'No money has arrived.';
  return `${coinText(other.amount, other.asset)} on ${other.networkName} arrived.`;
}

const whole = ({ quoted, asset, networkName }: DetailQuote) => `${coinText(quoted, asset)} on ${networkName}`;

const isShort = ({ received, quoted }: DetailQuote) => received.atoms < quoted.atoms;
