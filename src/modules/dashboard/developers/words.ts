import type { DisabledReason, WebhookEndpointView } from '../../webhooks/webhooks.types.js';
import type { StatusWord } from '../payments/words.js';

const DISABLED: Readonly<Record<DisabledReason, StatusWord>> = {
  'by-merchant': { text: 'disabled by you', tone: 'quiet' },
  'answered-410': { text: 'disabled: it answered 410', tone: 'bad' },
  failing: { text: 'disabled: five days without success', tone: 'bad' },
};

export function endpointWord({ disabledAt, disabledReason }: WebhookEndpointView): StatusWord {
  if (disabledAt === null) return { text: 'enabled', tone: 'good' };
  return DISABLED[disabledReason ?? 'by-merchant'];
}
