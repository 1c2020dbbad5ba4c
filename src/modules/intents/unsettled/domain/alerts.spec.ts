import type { ReviewReason } from '../../intents.types.js';
import { reviewAlert } from './alerts.js';
import type { Intent } from '../../domain/model.js';

const intent = { id: 'pi_1', merchantId: 'mer_1', currency: 'CHF', amountMinor: 1_000n } as Intent;

it.each<[ReviewReason, boolean]>([
  ['in-time-seen-late', true],
  ['late', true],
  ['underpaid', true],
  ['after-settlement', false],
  ['cancelled', false],
  ['failed', false],
  ['other-quote', false],
  ['other-asset', false],
  ['other-network', false],
  ['before-issue', false],
])('asks to accept money that is %s: %s', (reason, mayAccept) => {
  expect(reviewAlert(intent, reason, ['tr_1']).detail.includes('Accept it')).toBe(mayAccept);
});
