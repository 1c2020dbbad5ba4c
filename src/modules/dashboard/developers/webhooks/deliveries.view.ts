import type {
  AttemptView,
  DeliveryRequest,
  DeliveryView,
  WebhookEndpointView,
} from '../../../webhooks/webhooks.types.js';
import { moment } from '../../domain/times.js';
import { pathTo } from '../../paths.http.js';
import type { PageModel } from '../../session/request-context.js';
import { deliveryLabel } from '../../payments/messages.js';
import { tabs } from '../tabs.js';
import { curlOf } from './curl.js';

/** "answered 204", "timeout": the last thing that happened to a delivery. */
export function answerWords(attempt: Pick<AttemptView, 'httpStatus' | 'error'> | null): string {
  if (!attempt) return 'no answer yet';
  if (attempt.error === null) return `answered ${attempt.httpStatus}`;
  return attempt.httpStatus === null
    ? attempt.error
    : `answered ${attempt.httpStatus}, then ${attempt.error}`;
}

export function deliveryRow(delivery: DeliveryView) {
  const { id, eventId, eventType, sequence, createdAt, nextAttemptAt, lastAttempt } = delivery;
  return {
    eventId,
    eventType,
    sequence,
    path: pathTo('delivery', id),
    state: deliveryLabel(delivery.state),
    created: moment(createdAt),
    answer: lastAttempt && answerWords(lastAttempt),
    next: nextAttemptAt && moment(nextAttemptAt),
  };
}

export interface ShownDelivery {
  readonly delivery: DeliveryView;
  readonly attempts: readonly AttemptView[];
  readonly request: DeliveryRequest;
  /** `null` when it is deleted. */
  readonly endpoint: WebhookEndpointView | null;
  readonly mayManage: boolean;
}

export function deliveryView({ delivery, attempts, request, endpoint, mayManage }: ShownDelivery): PageModel {
  const { id, eventId, subject, deliveredAt, state } = delivery;
  // The signature is this minute's: for whoever may send events, and nobody else.
  const { 'webhook-timestamp': _at, 'webhook-signature': signature, ...headers } = request.headers;
  return {
    ...deliveryRow(delivery),
    title: 'Delivery',
    tabs: tabs('webhooks'),
    eventId,
    mayManage,
    endpointPath: endpoint && pathTo('webhook', endpoint.id),
    url: request.url,
    paymentPath: subject.startsWith('pi_') ? pathTo('payment', subject) : null,
    subject,
    delivered: deliveredAt && moment(deliveredAt),
    redeliverPath:
      mayManage && endpoint && !endpoint.disabledAt && state !== 'sending' ? pathTo('redeliver', id) : null,
    isDisabled: endpoint !== null && endpoint.disabledAt !== null,
    attempts: attempts.map(attemptView),
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    body: request.body,
    curl: mayManage && signature !== undefined ? curlOf(request) : null,
  };
}

function attemptView({ number, startedAt, durationMs, httpStatus, error, response }: AttemptView) {
  return {
    number,
    response,
    at: moment(startedAt),
    timestamp: Math.floor(startedAt.getTime() / 1000),
    ms: durationMs,
    answer: answerWords({ httpStatus, error }),
    tone: error === null && httpStatus !== null && httpStatus >= 200 && httpStatus < 300 ? 'good' : 'bad',
  };
}
