import type { NetworkConfig } from '../../../../config/config.types.js';
import type { Facts, Transfer } from '../../../chains/chains.types.js';
import type { Intent, Quote } from '../../domain/model.js';
import { checkoutQuote } from './checkout.js';

const settlementDepths = [1, 2, 3, 6] as const;
const network = {
  ...{ id: 'bitcoin', name: 'Bitcoin', family: 'bitcoin', blockIntervalS: 600, settlementDepths },
  ...{ safeAfterS: 1, finalizedAfterS: 1, assets: [] },
} as unknown as NetworkConfig;
const places = { network: () => network, asset: () => null };
/** CHF 50 for 50,000 atoms. */
const intent = {
  ...{ amountMinor: 50_00n, status: 'settled', expiresAt: new Date(), quoteId: 'quo_1' },
} as unknown as Intent;
const quote = {
  ...{ id: 'quo_1', network: 'bitcoin', asset: 'BTC', decimals: 8, amountAtoms: 50_000n, family: 'bitcoin' },
  ...{ address: 'bc1q', watchedAddress: 'bc1q', price: '100000', spreadBps: 0, toleranceBps: 0 },
  ...{ confirmationDepth: 1, settlementDepth: 1, settlementDepths },
} as unknown as Quote;
const tenfold = {
  ...{ id: 'tr_1', txid: 't', network: 'bitcoin', asset: 'BTC', address: 'bc1q', amountAtoms: 500_000n },
  ...{ state: 'included', blockHeight: 100, missingSince: null, superseded: false, own: false },
  ...{ beforeIssue: false, inherited: [], observedAt: new Date(0), firstSeenAt: new Date(0) },
} as unknown as Transfer;

function pageAt(height: number) {
  const tip = { network: 'bitcoin', height, safeHeight: 0, finalizedHeight: 0 };
  const facts = { transfers: [tenfold], tips: new Map([['bitcoin', tip]]) } as unknown as Facts;
  return checkoutQuote(intent, quote, facts, network, places, () => ({ withAmount: '', addressOnly: '' }));
}

it('a settled page says what was received from the depth of its price on, and that it was too much once that is final', () => {
  expect(pageAt(100)).toMatchObject({ received: '0.00500000', complete: true, excess: null });
  expect(pageAt(101)).toMatchObject({ received: '0.00500000', excess: '0.00450000' });
});
