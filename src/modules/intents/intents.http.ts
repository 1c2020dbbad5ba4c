import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import { INTENT_STATUSES } from '../../kernel/intent-status.js';
import { ApiProblems } from '../../platform/openapi/problem.docs.js';
import { CreateIntentRequest } from './dto/create-intent.request.js';
import { PageOfIntentsResponse, PaymentIntentResponse } from './dto/payment-intent.response.js';

const location = { Location: { description: 'Path of the intent.', schema: { type: 'string' as const } } };
const ALWAYS = [
  'bad-request',
  'invalid-api-key',
  'merchant-not-approved',
  'insufficient-scope',
  'https-required',
  'uri-too-long',
  'misdirected-request',
  'headers-too-large',
  'rate-limit-exceeded',
] as const;

export const CreateIntentDocs = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'createIntent',
      summary: 'Create a payment intent',
      description:
        'A repeated `idempotencyKey` returns the original intent with 200 and its live status, for ever: a second ' +
        'attempt at an order takes a new key.',
    }),
    ApiBody({ type: CreateIntentRequest }),
    ApiResponse({
      status: 201,
      description: 'A new intent.',
      type: PaymentIntentResponse,
      headers: location,
    }),
    ApiResponse({
      status: 200,
      description: 'The original intent: the key has been used before.',
      type: PaymentIntentResponse,
      headers: {
        ...location,
        'Idempotent-Replayed': { description: 'Always `true`.', schema: { type: 'string' } },
        'Idempotency-Mismatch': {
          description: 'Fields in which this request differs from the original, which counts.',
          schema: { type: 'string' },
        },
      },
    }),
    ApiProblems(
      'validation-error',
      'malformed-json',
      ...ALWAYS,
      'merchant-not-found',
      'payload-too-large',
      'unsupported-media-type',
      'not-acceptable',
      'internal-error',
      'unavailable',
    ),
  );

export const GetIntentDocs = () =>
  applyDecorators(
    ApiOperation({ operationId: 'getIntent', summary: 'Retrieve a payment intent' }),
    ApiParam({ name: 'id', example: 'pi_01kdk3x0t6s2v9m4c8q7p5z1r0w3ya' }),
    ApiResponse({
      status: 200,
      description: 'The intent, with its live status.',
      type: PaymentIntentResponse,
    }),
    ApiProblems(
      'validation-error',
      ...ALWAYS,
      'intent-not-found',
      'not-acceptable',
      'internal-error',
      'unavailable',
    ),
  );

export const ListIntentsDocs = () =>
  applyDecorators(
    ApiOperation({ operationId: 'listIntents', summary: 'List payment intents, newest first' }),
    ApiResponse({ status: 200, description: 'A page of intents.', type: PageOfIntentsResponse }),
    ApiProblems('validation-error', ...ALWAYS, 'not-acceptable', 'internal-error', 'unavailable'),
  );

const amount = { type: 'string', pattern: '^\\d+\\.\\d{8}$' };

const PAYMENT_SCHEMA = {
  type: ['object', 'null'],
  required: ['network', 'received', 'missing', 'transfers'],
  properties: {
    network: { type: 'string' },
    received: amount,
    missing: amount,
    transfers: {
      type: 'array',
      items: {
        type: 'object',
        required: ['txid', 'amount', 'confirmations'],
        properties: { txid: { type: 'string' }, amount, confirmations: { type: 'integer', minimum: 0 } },
      },
    },
  },
};

/** The events, as OpenAPI 3.1's `webhooks`. */
export const WEBHOOK_DOCS = {
  'payment.status': {
    post: {
      operationId: 'onPaymentStatus',
      summary: 'An intent changed its status',
      description:
        'Signed by Standard Webhooks 1.0.0 and delivered at least once, in no promised order: apply an event only if ' +
        'its `sequence` is greater than the last that you have seen for this intent. Answer 2xx within 10 seconds.',
      parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
        name,
        in: 'header',
        required: true,
        schema: { type: 'string' },
      })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['id', 'type', 'timestamp', 'sequence', 'data'],
              properties: {
                id: { type: 'string', description: 'The same for every endpoint and every attempt.' },
                type: { const: 'payment.status' },
                timestamp: { type: 'string', format: 'date-time' },
                sequence: { type: 'integer', minimum: 1, description: 'Counts per intent, without gaps.' },
                data: {
                  type: 'object',
                  required: ['intent', 'previousStatus', 'payment'],
                  properties: {
                    intent: { $ref: '#/components/schemas/PaymentIntentResponse' },
                    previousStatus: { enum: [...INTENT_STATUSES, null] },
                    payment: PAYMENT_SCHEMA,
                  },
                },
              },
            },
          },
        },
      },
      responses: {
        '2XX': { description: 'Received. Anything else is tried again; 410 disables the endpoint.' },
      },
    },
  },
};
