import type { DisabledReason, EndpointHealth, WebhookEndpointView } from '../../webhooks/webhooks.types.js';
import type { Text } from '../language/german/german.js';
import type { Say } from '../language/say.js';
import type { StatusLabel } from '../payments/messages.js';

const DISABLED = {
  'by-merchant': { text: 'disabled by you', tone: 'quiet' },
  'answered-410': { text: 'disabled: it answered 410', tone: 'bad' },
  failing: { text: 'disabled: five days without success', tone: 'bad' },
} as const satisfies Record<DisabledReason, StatusLabel & { readonly text: Text }>;

/** What it does, whatever its switch says. */
export function endpointLabel(
  say: Say,
  { disabledAt, disabledReason }: WebhookEndpointView,
  health: EndpointHealth | undefined,
): StatusLabel {
  if (disabledAt === null)
    return health?.failingSince
      ? { text: say('failing'), tone: 'bad' }
      : { text: say('enabled'), tone: 'good' };
  const { text, tone } = DISABLED[disabledReason ?? 'by-merchant'];
  return { text: say(text), tone };
}
