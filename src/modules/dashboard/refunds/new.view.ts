import { plainText } from '../../../kernel/crypto-amount.js';
import type { RefundProposal } from '../../intents/refunds.types.js';
import type { Refundable } from '../../intents/reviews.types.js';
import { seenFields } from '../domain/seen.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import type { PageModel } from '../session/request-context.js';
import { mostText } from './refund-label.js';
import { requestView } from './request.view.js';

export interface NewRefund {
  readonly payment: string;
  readonly proposal: RefundProposal;
  readonly mayDecide: boolean;
  /** Where one proves who one is, which deciding it needs; `null` where that is fresh. */
  readonly confirm: string | null;
  readonly typed: {
    readonly asset: string;
    readonly amount: string;
    readonly address: string;
    readonly note: string;
  };
}

/** Proposes all that can be given back, to where the buyer asked. */
export function newView(say: Say, { payment, proposal, mayDecide, confirm, typed }: NewRefund): PageModel {
  const { refundable, request, seen } = proposal;
  const [only] = refundable.length === 1 ? refundable : [];
  const chosen = refundable.find((each) => valueOf(each) === typed.asset) ?? only ?? null;
  const isFor = chosen !== null && request?.network === chosen.network;
  return {
    title: say('Send money back'),
    payment,
    paymentPath: pathTo('payment', payment),
    action: pathTo('newRefund'),
    mayDecide,
    confirm,
    seen: seenFields(seen),
    isNothing: refundable.length === 0,
    request: request && requestView(request),
    kinds: refundable.map((each) => ({
      value: valueOf(each),
      text: say('{amount} on {network}', { amount: each.asset, network: each.networkName }),
      isChosen: each === chosen,
    })),
    isOne: only !== undefined,
    most: mostText(say, refundable),
    amount: typed.amount || (chosen && plainText(chosen)) || '',
    address: typed.address || (isFor ? request.address : ''),
    note: typed.note,
  };
}

const valueOf = ({ network, asset }: Refundable) => `${network} ${asset}`;
