import type { EndpointHealth, WebhookEndpointView } from '../../webhooks/webhooks.types.js';
import { sayIn } from '../language/say.js';
import { endpointLabel } from './messages.js';

const endpoint = { disabledAt: null, disabledReason: null } as WebhookEndpointView;
const health = { failingSince: null } as EndpointHealth;
const failing: EndpointHealth = { ...health, failingSince: new Date() };

describe('endpointLabel', () => {
  it.each([
    ['enabled', endpoint, health],
    ['enabled', endpoint, undefined],
    ['failing', endpoint, failing],
    ['disabled by you', { ...endpoint, disabledAt: new Date() }, failing],
    [
      'disabled: it answered 410',
      { ...endpoint, disabledAt: new Date(), disabledReason: 'answered-410' },
      failing,
    ],
  ] as const)('says "%s", whatever the switch says', (text, one, of) => {
    expect(endpointLabel(sayIn('en'), one, of).text).toBe(text);
  });
});
