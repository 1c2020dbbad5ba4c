import type { DeliveryPage, EndpointHealth, WebhookEndpointView } from '../../../webhooks/webhooks.types.js';
import { pathWith } from '../../domain/safe-path.js';
import { moment } from '../../domain/times.js';
import type { Say } from '../../language/say.js';
import { pathTo } from '../../paths.http.js';
import type { PageModel } from '../../session/request-context.js';
import { disabledText, endpointLabel } from '../messages.js';
import { tabs } from '../tabs.js';
import { deliveryRow } from './deliveries.view.js';
import { endpointHealthView } from './endpoints.view.js';
import { LOG_CHOICES, type LogQuery } from './log-query.js';

export interface Shown {
  readonly endpoint: WebhookEndpointView;
  readonly health: EndpointHealth | undefined;
  readonly page: DeliveryPage;
  readonly log: LogQuery;
  readonly now: Date;
  readonly typedSince: string;
  readonly mayManage: boolean;
}

/** One endpoint: how it fares, what can be done about it, and what was sent to it. */
export function endpointView(say: Say, shown: Shown): PageModel {
  const { endpoint, health, page, log, now, typedSince, mayManage } = shown;
  const { id, url, createdAt, disabledAt } = endpoint;
  const path = pathTo('webhook', id);
  return {
    title: say('Webhook endpoint'),
    tabs: tabs(say, 'webhooks'),
    path,
    id,
    url,
    typedSince,
    mayManage,
    state: endpointLabel(say, endpoint, health),
    events: endpoint.events,
    takesMoney: endpoint.events.includes('payment.money'),
    created: moment(createdAt),
    disabled: disabledAt && moment(disabledAt),
    disabledWhy: disabledAt && disabledText(say, endpoint),
    ...endpointHealthView(say, health, now),
    rows: page.items.map((item) => deliveryRow(say, item)),
    choices: LOG_CHOICES.map(({ value, text }) => ({
      value,
      text: say(text),
      isChosen: value === log.chosen,
    })),
    isFiltered: log.chosen !== '',
    newest: log.isPaged ? pathWith(path, { state: log.chosen }) : null,
    older: page.next === null ? null : pathWith(path, { state: log.chosen, after: page.next }),
    hasPages: log.isPaged || page.next !== null,
  };
}
