import type { MerchantStatus } from '../../merchants/merchants.types.js';
import type { Text } from '../language/german/german.js';
import type { Say } from '../language/say.js';
import type { StatusLabel } from '../payments/messages.js';

const STANDINGS = {
  pending: { text: 'awaits approval', tone: 'warn' },
  approved: { text: 'approved|a merchant', tone: 'good' },
  suspended: { text: 'suspended|a merchant', tone: 'bad' },
  closed: { text: 'closed|a merchant', tone: 'quiet' },
} as const satisfies Record<MerchantStatus, StatusLabel & { readonly text: Text }>;

export function merchantLabel(say: Say, status: MerchantStatus): StatusLabel {
  const { text, tone } = STANDINGS[status];
  return { text: say(text), tone };
}
