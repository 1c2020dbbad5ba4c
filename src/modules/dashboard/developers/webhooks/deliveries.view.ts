import type {
  AttemptView,
  DeliveryRequest,
  DeliveryView,
  WebhookEndpointView,
} from '../../../webhooks/webhooks.types.js';
import { moment } from '../../domain/times.js';
import type { Say } from '../../language/say.js';
import { pathTo } from '../../paths.http.js';
import { deliveryLabel } from '../../payments/messages.js';
import type { Flash } from '../../session/flash.js';
import type { PageModel } from '../../session/request-context.js';
import { tabs } from '../tabs.js';
import { curlOf } from './curl.js';

/** "answered 204", "timeout": the last thing that happened to a delivery. */
export function answerMessage(say: Say, attempt: Pick<AttemptView, 'httpStatus' | 'error'> | null): string {
  if (!attempt) return say('no answer yet');
  const { httpStatus, error } = attempt;
  const failure = error && say.told(error);
  if (httpStatus === null) return failure ?? say('no answer yet');
  return failure === null
    ? say('answered {status}', { status: httpStatus })
    : say('answered {status}, then {failure}', { status: httpStatus, failure });
}

export function deliveryRow(say: Say, delivery: DeliveryView) {
  const { id, eventId, eventType, sequence, createdAt, nextAttemptAt, lastAttempt } = delivery;
  return {
    eventId,
    eventType,
    sequence,
    path: pathTo('delivery', id),
    state: deliveryLabel(say, delivery.state),
    created: moment(createdAt),
    answer: lastAttempt && answerMessage(say, lastAttempt),
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

export function deliveryView(
  say: Say,
  { delivery, attempts, request, endpoint, mayManage }: ShownDelivery,
): PageModel {
  const { id, eventId, subject, deliveredAt, state } = delivery;
  // The signature is this minute's: for whoever may send events, and nobody else.
  const { 'webhook-timestamp': _at, 'webhook-signature': signature, ...headers } = request.headers;
  return {
    ...deliveryRow(say, delivery),
    title: say('Delivery'),
    answerSentence: sentenceOf(say, delivery),
    tabs: tabs(say, 'webhooks'),
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
    attempts: attempts.map((attempt) => attemptView(say, attempt)),
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    body: request.body,
    curl: mayManage && signature !== undefined ? curlOf(request) : null,
  };
}

/** Whether it has arrived, and what comes now. */
function sentenceOf(say: Say, { state, lastAttempt }: DeliveryView): string {
  const answer = lastAttempt && answerMessage(say, lastAttempt);
  switch (state) {
    case 'delivered':
      return answer === null
        ? say('It has arrived. Nothing is to be done.')
        : say('It has arrived: {answer}. Nothing is to be done.', { answer });
    case 'sending':
      return say('It is being sent just now.');
    case 'held':
      return say('It is held back while its endpoint is disabled.');
    case 'failed':
      return answer === null
        ? say('It was given up. Send it again once your server is well.')
        : say('It was given up: {answer}. Send it again once your server is well.', { answer });
    case 'pending':
      return answer === null
        ? say('It waits to be sent.')
        : say('It has not arrived: {answer}. It is tried again by itself.', { answer });
  }
}

/** What came of sending it once more. */
export function sentAgain(say: Say, attempt: AttemptView): Flash {
  const text = say('Sent again: {answer}.', { answer: answerMessage(say, attempt) });
  return { kind: hasArrived(attempt) ? 'good' : 'warn', text };
}

const hasArrived = ({ error, httpStatus }: AttemptView) =>
  error === null && httpStatus !== null && httpStatus >= 200 && httpStatus < 300;

function attemptView(say: Say, attempt: AttemptView) {
  const { number, startedAt, durationMs, response } = attempt;
  return {
    number,
    response,
    at: moment(startedAt),
    timestamp: Math.floor(startedAt.getTime() / 1000),
    ms: durationMs,
    answer: answerMessage(say, attempt),
    tone: hasArrived(attempt) ? 'good' : 'bad',
  };
}
