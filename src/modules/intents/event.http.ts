import { INTENT_STATUSES } from '../../kernel/intent-status.js';
import {
  count,
  eventOperation,
  eventSchema,
  ref,
  type EventDocs,
} from '../../platform/openapi/event.docs.js';
import { EVENT_EXAMPLES } from './dto/examples.js';

const amount = { type: 'string', pattern: '^\\d+\\.\\d{8}$', maxLength: 100 };

const SCHEMAS = {
  PaymentStatusEvent: eventSchema({
    type: 'payment.status',
    description: 'An intent has changed its status.',
    sequence: 'Counts per intent, without gaps. Apply an event only if it is higher than the last you saw.',
    data: {
      type: 'object',
      required: ['intent', 'previousStatus', 'payment'],
      properties: {
        intent: ref('PaymentIntentResponse'),
        previousStatus: {
          type: ['string', 'null'],
          enum: [...INTENT_STATUSES, null],
          description: 'Null in the first event, which tells of the creation.',
        },
        payment: { oneOf: [ref('EventPayment'), { type: 'null' }] },
      },
    },
  }),
  EventPayment: {
    type: 'object',
    description: 'What arrived, at the moment of the change. Amounts in the asset of the intent.',
    required: ['network', 'received', 'missing', 'transfers'],
    properties: {
      network: { type: 'string', maxLength: 100, pattern: '^\\S+$' },
      received: amount,
      missing: amount,
      transfers: {
        type: 'array',
        maxItems: 10_000,
        items: {
          type: 'object',
          required: ['txid', 'amount', 'confirmations'],
          properties: {
            txid: { type: 'string', maxLength: 100, pattern: '^[0-9a-zA-Z]+$' },
            amount,
            confirmations: count(0),
          },
        },
      },
    },
  },
};

/** The event of every transition. */
export const PAYMENT_EVENT_DOCS: EventDocs = {
  webhooks: {
    'payment.status': eventOperation({
      operationId: 'onPaymentStatus',
      summary: 'An intent changed its status',
      description:
        'Signed by Standard Webhooks 1.0.0 and delivered at least once, in no promised order: apply an event only if ' +
        'its `sequence` is greater than the last that you have seen for this intent. Answer 2xx within 10 seconds.',
      schema: 'PaymentStatusEvent',
      examples: EVENT_EXAMPLES,
      responses: {
        '2XX': { description: 'Received.' },
        '410': { description: 'Gone: disables the endpoint.' },
        default: { description: 'Anything else is tried again, for three days; `Retry-After` is honoured.' },
      },
    }),
  },
  schemas: SCHEMAS,
};
