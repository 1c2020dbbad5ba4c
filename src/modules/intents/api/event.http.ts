import { INTENT_STATUSES } from '../../../kernel/intent-status.js';
import type { ContractPart } from '../../../platform/openapi/openapi.js';
import { count, ref } from '../../../platform/openapi/schemas.js';
import { eventOperation, eventSchema } from '../../webhooks/event-docs.http.js';
import { MOST_TOLD } from '../domain/transfers.js';
import { MONEY_REASONS } from '../reviews.types.js';
import { EVENT_EXAMPLES, MONEY_EXAMPLES } from './dto/examples.js';

const amount = (description: string) => ({
  type: 'string',
  pattern: '^\\d+\\.\\d{8}$',
  maxLength: 100,
  description,
});
const name = (description: string) => ({ type: 'string', maxLength: 100, pattern: '^\\S+$', description });
const txid = {
  type: 'string',
  maxLength: 100,
  pattern: '^[0-9a-zA-Z]+$',
  description: 'Id of the transaction on its chain.',
};

const SCHEMAS = {
  PaymentStatusEvent: eventSchema({
    type: 'payment.status',
    description: 'An intent has changed its status.',
    sequence: 'Counts per intent, without gaps. Apply an event only if it is higher than the last you saw.',
    data: {
      type: 'object',
      description: 'The intent at the change, and what had arrived.',
      required: ['intent', 'previousStatus', 'payment'],
      properties: {
        intent: ref('PaymentIntentResponse'),
        previousStatus: {
          type: ['string', 'null'],
          enum: [...INTENT_STATUSES, null],
          description: 'Null in the first event, which tells of the creation.',
        },
        payment: ref('Payment'),
      },
    },
  }),
  PaymentMoneyEvent: eventSchema({
    type: 'payment.money',
    description: 'Money of an intent that has ended is final, and no settlement took it as the price.',
    sequence: 'Counts the money of the intent, without gaps; beside the sequence of its statuses.',
    data: {
      type: 'object',
      description: 'The intent, whose status stays, and the money.',
      required: ['intent', 'money'],
      properties: { intent: ref('PaymentIntentResponse'), money: ref('EventMoney') },
    },
  }),
  EventMoney: {
    type: 'object',
    description: 'One transfer, or of a settlement’s transfer the part that was more than was asked.',
    required: ['id', 'reason', 'network', 'asset', 'amount', 'txid', 'observedAt'],
    properties: {
      id: {
        type: 'string',
        pattern: '^tr_[0-9a-z]{30}$',
        maxLength: 33,
        description: 'Of the transfer: one transaction can hold several. It is announced once.',
      },
      reason: {
        type: 'string',
        enum: [...MONEY_REASONS],
        description:
          'Why it is not the price: `late`, `underpaid`, `in-time-seen-late`, `excess` (too much), ' +
          '`beside-settlement` (more, seen before the settlement and no part of it), `after-settlement`, `other-quote`, `other-asset`, `other-network`, `before-issue` (it lay there before), or how the intent had ended: ' +
          '`cancelled`, `failed`.',
      },
      network: name('Where it arrived.'),
      asset: name('What arrived.'),
      amount: amount('How much of it, rounded down to 8 decimals.'),
      txid,
      observedAt: {
        type: 'string',
        format: 'date-time',
        maxLength: 30,
        description: 'When all of it had been seen: what makes it late or not.',
      },
    },
  },
  Payment: {
    type: ['object', 'null'],
    description:
      'Null until an asset is picked. What has arrived at the deposit address, as far as it is on the chain or on its way there: now in a read, ' +
      'at the moment of the change in an event. Amounts in the asset of the intent.',
    required: ['network', 'received', 'missing', 'transfers'],
    properties: {
      network: name('Of the deposit address.'),
      received: amount('Rounded down to 8 decimals.'),
      missing: amount('Still to be sent, rounded up; 0 once it is complete.'),
      transfers: {
        type: 'array',
        description:
          `Oldest first; one transaction can hold several. Of more than ${MOST_TOLD} the largest; \`received\` is the sum of ` +
          'all.',
        maxItems: MOST_TOLD,
        items: {
          type: 'object',
          required: ['txid', 'amount', 'confirmations'],
          properties: {
            txid,
            amount: amount('Rounded down to 8 decimals.'),
            confirmations: {
              ...count(0),
              description: 'Blocks on top of it and its own; 0 outside a block.',
            },
          },
        },
      },
    },
  },
};

/** The event of every transition, and that of money beside them. */
export const PAYMENT_EVENT_DOCS: ContractPart = {
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
    'payment.money': eventOperation({
      operationId: 'onPaymentMoney',
      summary: 'Money arrived for an intent that has ended',
      description:
        'For endpoints that ask for it. Sent once for each transfer, when it is final, and signed like every event: ' +
        'money that was late, too little or too much, of another asset, network or quote, or that came after the ' +
        'settlement, a cancellation or a failure. It changes no status: accept, dismiss or refund it in the review ' +
        'queue. Each has its own `sequence`.',
      schema: 'PaymentMoneyEvent',
      examples: MONEY_EXAMPLES,
      responses: {
        '2XX': { description: 'Received.' },
        '410': { description: 'Gone: disables the endpoint.' },
        default: { description: 'Anything else is tried again, for three days; `Retry-After` is honoured.' },
      },
    }),
  },
  schemas: SCHEMAS,
};
