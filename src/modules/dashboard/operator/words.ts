import type { MerchantStatus } from '../../merchants/merchants.types.js';
import type { StatusWord } from '../payments/words.js';

const STANDINGS: Readonly<Record<MerchantStatus, StatusWord>> = {
  pending: { text: 'awaits approval', tone: 'warn' },
  approved: { text: 'approved', tone: 'good' },
  suspended: { text: 'suspended', tone: 'bad' },
  closed: { text: 'closed', tone: 'quiet' },
};

export function merchantWord(status: MerchantStatus): StatusWord {
  return STANDINGS[status];
}
