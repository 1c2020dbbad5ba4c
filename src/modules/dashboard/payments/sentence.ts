import { isNothing } from '../../../kernel/crypto-amount.js';
import { before } from '../../../kernel/lookups.js';
import type { DetailQuote, PaymentDetail } from '../../intents/payments.types.js';
import { coinText, formatAmount } from '../domain/amounts.js';
import { moment, type TimeText } from '../domain/times.js';
import type { Say } from '../language/say.js';
import { causeMessage, reviewMessage } from './messages.js';

/** What is, and why; then what comes now. */
export interface Sentence {
  readonly what: string;
  /** Said behind `what`, and before `end`. */
  readonly until: TimeText | null;
  readonly end: string;
  readonly now: string;
}

/** Where a text has its moment, which only the page can write for its reader. */
const MOMENT = '\0';

/** The page's first line: somebody who reads only this knows how the payment stands. */
export function sentenceOf(say: Say, detail: PaymentDetail): Sentence {
  const { intent, inReview, settlement, transitions } = detail;
  const quote = detail.quotes.find(({ shown }) => shown);
  const nothingToDo = say('Nothing is to be done.');
  const byItself = say('It settles by itself once the network cannot undo it any more.');
  const until = (text: string): Sentence => {
    const [what = '', end = ''] = text.split(MOMENT);
    return { what, until: moment(new Date(intent.expiresAt)), end, now: nothingToDo };
  };
  const said = (what: string, now: string): Sentence => ({ what, until: null, end: '', now });
  const money = arrived(say, detail, quote);
  if (inReview !== null)
    return said(`${money} ${whyInReview(say, inReview)}`, say('It waits for your decision.'));
  switch (intent.status) {
    case 'initiated':
      if (!quote)
        return until(say('The buyer has not chosen how to pay, and can until {time}.', { time: MOMENT }));
      return until(
        say('Nothing has arrived. {amount} on {network} can be paid until {time}.', {
          ...whole(say, quote),
          time: MOMENT,
        }),
      );
    case 'pending':
      if (quote && isShort(quote))
        return until(say('{arrived} The rest can be paid until {time}.', { arrived: money, time: MOMENT }));
      return said(`${money} ${say('It is not in a block that counts yet.')}`, byItself);
    case 'confirmed':
      return said(`${money} ${say('It is in a block.')}`, byItself);
    case 'settled': {
      if (!settlement) return said(say('It is paid.'), nothingToDo);
      const { received, asset, networkName: network, fiatMinor } = settlement;
      const worth = formatAmount(say, fiatMinor, intent.currency);
      return said(
        say('Paid: {amount} on {network}, worth {worth}.', {
          amount: coinText(say, received, asset),
          network,
          worth,
        }),
        rest(say, settlement) ?? nothingToDo,
      );
    }
    case 'expired':
    case 'cancelled':
    case 'failed': {
      const why = transitions.at(-1);
      const begin = why ? `${causeMessage(say, why.cause)}. ` : '';
      const isEmpty = detail.transfers.every(({ own, beforeIssue }) => own || beforeIssue);
      return isEmpty
        ? said(`${begin}${say('No money has arrived.')}`, say('What comes later goes to the review queue.'))
        : said(`${begin}${money}`, say('What becomes of it is decided.'));
    }
  }
}

/** That too little arrived is said by the numbers before it. */
function whyInReview(say: Say, reason: NonNullable<PaymentDetail['inReview']>): string {
  return reason === 'underpaid' ? say('The rest did not come in time.') : `${reviewMessage(say, reason)}.`;
}

function rest(
  say: Say,
  { excess, asset, acceptedBy }: NonNullable<PaymentDetail['settlement']>,
): string | null {
  if (acceptedBy !== null) return say('It was accepted with what arrived.');
  return isNothing(excess) ? null : say('Overpaid by {amount}.', { amount: coinText(say, excess, asset) });
}

function arrived(say: Say, { transfers }: PaymentDetail, quote: DetailQuote | undefined): string {
  if (quote && !isNothing(quote.received)) {
    const { asset, networkName: network, received, quoted } = quote;
    const amount = coinText(say, received, asset);
    return isShort(quote)
      ? say('{part} of {amount} on {network} arrived.', {
          part: before('\u00a0', amount),
          amount: coinText(say, quoted, asset),
          network,
        })
      : say('{amount} on {network} arrived.', { amount, network });
  }
  const other = transfers.find(({ own, beforeIssue }) => !own && !beforeIssue);
  if (!other) return say('No money has arrived.');
  return say('{amount} on {network} arrived.', {
    amount: coinText(say, other.amount, other.asset),
    network: other.networkName,
  });
}

const whole = (say: Say, { quoted, asset, networkName }: DetailQuote) => ({
  amount: coinText(say, quoted, asset),
  network: networkName,
});

const isShort = ({ received, quoted }: DetailQuote) => received.atoms < quoted.atoms;
