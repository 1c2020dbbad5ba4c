import type { Snippet } from '../../../site/snippets.service.js';
import {
  type EndpointEvent,
  type EndpointHealth,
  MOST_COUNTED,
  type WebhookEndpointView,
} from '../../../webhooks/webhooks.types.js';
import { countedText } from '../../domain/counted.js';
import { ago, moment } from '../../domain/times.js';
import type { Text } from '../../language/german/german.js';
import type { Say } from '../../language/say.js';
import { pathTo } from '../../paths.http.js';
import type { PageModel } from '../../session/request-context.js';
import { endpointLabel } from '../messages.js';
import { tabs } from '../tabs.js';

const counted = (say: Say, count: number) => countedText(say, count, MOST_COUNTED);

export function endpointsView(
  say: Say,
  endpoints: readonly WebhookEndpointView[],
  health: readonly EndpointHealth[],
  now: Date,
  mayManage: boolean,
): PageModel {
  return {
    title: say('Webhooks'),
    tabs: tabs(say, 'webhooks'),
    mayManage,
    isEmpty: endpoints.length === 0,
    endpoints: endpoints.map((endpoint) => {
      const own = health.find(({ endpointId }) => endpointId === endpoint.id);
      return {
        path: pathTo('webhook', endpoint.id),
        url: endpoint.url,
        takesMoney: endpoint.events.includes('payment.money'),
        state: endpointLabel(say, endpoint, own),
        ...endpointHealthView(say, own, now),
        waits: own && own.waiting > 0 ? counted(say, own.waiting) : null,
      };
    }),
  };
}

export function endpointHealthView(say: Say, health: EndpointHealth | undefined, now: Date) {
  const { lastArrivedAt = null, failingSince = null, waiting = 0, held = 0 } = health ?? {};
  return {
    arrived: lastArrivedAt && ago(lastArrivedAt, now),
    failing: failingSince && ago(failingSince, now),
    waiting: counted(say, waiting),
    held: held === 0 ? null : counted(say, held),
  };
}

/** @param typed what was sent before, so that it need not be typed again */
export function newEndpointView(say: Say, typed = '', events: readonly EndpointEvent[] = []): PageModel {
  return { title: say('Add a webhook endpoint'), typed, takesMoney: events.includes('payment.money') };
}

type EndpointUrl = Pick<WebhookEndpointView, 'id' | 'url'>;

/** Nothing but the secret, which is shown this once; how what arrives is verified has a page of its own. */
export function createdEndpointView(say: Say, endpoint: EndpointUrl, secret: string): PageModel {
  return { ...secretView(endpoint, secret), title: say('Your new webhook endpoint'), isRotated: false };
}

export function rotatedView(say: Say, endpoint: EndpointUrl, secret: string): PageModel {
  return { ...secretView(endpoint, secret), title: say('The new secret'), isRotated: true };
}

function secretView({ id, url }: EndpointUrl, secret: string) {
  return { path: pathTo('webhook', id), url, secret };
}

export function verifyView(say: Say, { id, url }: EndpointUrl, snippets: readonly Snippet[]): PageModel {
  return {
    title: say('Verify what arrives'),
    path: pathTo('webhook', id),
    url,
    snippets: snippets.map(({ id: name, language, code }, i) => ({ name, language, code, isFirst: i === 0 })),
  };
}

const QUESTIONS = {
  rotate: 'Replace the secret?',
  url: 'Change the URL',
  delete: 'Delete this endpoint?',
} as const satisfies Record<string, Text>;

export function askView(say: Say, endpoint: WebhookEndpointView, what: keyof typeof QUESTIONS): PageModel {
  const { id, url, createdAt } = endpoint;
  return {
    title: say(QUESTIONS[what]),
    id,
    path: pathTo('webhook', id),
    url,
    typed: url,
    created: moment(createdAt),
  };
}
