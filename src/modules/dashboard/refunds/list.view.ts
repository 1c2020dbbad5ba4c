import type { NetworkConfig } from '../../../config/config.types.js';
import type { RefundOnChain } from '../../intents/refunds.types.js';
import { ago } from '../domain/times.js';
import { pathTo } from '../paths.http.js';
import type { PageModel } from '../session/request-context.js';
import { refundLabel } from './refund-label.js';

export function listView(
  refunds: readonly RefundOnChain[],
  networks: readonly NetworkConfig[],
  now: Date,
): PageModel {
  return {
    title: 'Refunds',
    isEmpty: refunds.length === 0,
    refunds: refunds.map(({ id, intentId, amount, asset, network, address, state, createdAt }) => ({
      ...{ amount, asset, address },
      networkName: networks.find((one) => one.id === network)?.name ?? network,
      path: pathTo('refund', id),
      paymentPath: pathTo('payment', intentId),
      state: refundLabel(state),
      when: ago(createdAt, now),
    })),
  };
}
