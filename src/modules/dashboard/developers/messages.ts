import type { DisabledReason, EndpointHealth, WebhookEndpointView } from '../../webhooks/webhooks.types.js';
import type { StatusLabel } from '../payments/messages.js';

const DISABLED: Readonly<Record<DisabledReason, StatusLabel>> = {
  'by-merchant': { text: 'disabled by you', tone: 'quiet' },
  'answered-410': { text: 'disabled: it answered 410', tone: 'bad' },
  failing: { text: 'disabled: five days without success', tone: 'bad' },
};

/** What it does, whatever its switch says. */
export function endpointLabel(
  { disabledAt, disabledReason }: WebhookEndpointView,
  health: EndpointHealth | undefined,
): StatusLabel {
  if (disabledAt === null)
    return health?.failingSince ? { text: 'failing', tone: 'bad' } : { text: 'enabled', tone: 'good' };
  return DISABLED[disabledReason ?? 'by-merchant'];
}
