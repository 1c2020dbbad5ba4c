import type { DisabledReason, EndpointHealth, WebhookEndpointView } from '../../webhooks/webhooks.types.js';
import type { Text } from '../language/german/german.js';
import type { Say } from '../language/say.js';
import type { StatusLabel } from '../payments/messages.js';

const DISABLED = {
  'by-merchant': { text: 'disabled by you', tone: 'quiet' },
  'answered-410': { text: 'disabled: it answered 410', tone: 'bad' },
  failing: { text: 'disabled: five days without success', tone: 'bad' },
} as const satisfies Record<DisabledReason, StatusLabel & { readonly text: Text }>;

const DISABLED_WHY = {
  'by-merchant': 'You have disabled it: nothing is sent, and what happens is held until you enable it.',
  'answered-410':
    'It was disabled because your server answered 410: nothing is sent, and what happens is held until you enable it.',
  failing:
    'It was disabled after five days without success: nothing is sent, and what happens is held until you enable it.',
} as const satisfies Record<DisabledReason, Text>;

/** Why nothing is sent, and what becomes of it. */
export function disabledText(say: Say, { disabledReason }: WebhookEndpointView): string {
  return say(DISABLED_WHY[disabledReason ?? 'by-merchant']);
}

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
