import { plainText } from '../../../kernel/crypto-amount.js';
import type { NamedRefund } from '../../intents/refunds.types.js';
import { ago } from '../domain/times.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import type { PageModel } from '../session/request-context.js';
import { refundLabel } from './refund-label.js';

export function refundListView(say: Say, refunds: readonly NamedRefund[], now: Date): PageModel {
  return {
    title: say('Refunds'),
    isEmpty: refunds.length === 0,
    refunds: refunds.map((refund) => ({
      amount: plainText(refund),
      asset: refund.asset,
      address: refund.address,
      networkName: refund.networkName,
      path: pathTo('refund', refund.id),
      paymentPath: pathTo('payment', refund.intentId),
      state: refundLabel(say, refund),
      when: ago(refund.createdAt, now),
    })),
  };
}
