import type { MerchantStatus } from '../../merchants/merchants.types.js';
import type { StatusLabel } from '../payments/messages.js';

const STANDINGS: Readonly<Record<MerchantStatus, StatusLabel>> = {
  pending: { text: 'awaits approval', tone: 'warn' },
  approved: { text: 'approved', tone: 'good' },
  suspended: { text: 'suspended', tone: 'bad' },
  closed: { text: 'closed', tone: 'quiet' },
};

export function merchantLabel(status: MerchantStatus): StatusLabel {
  return STANDINGS[status];
}
