import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiOperation,
  ApiParam,
  ApiResponse,
} from '../../../platform/openapi/decorators.js';
import { headersOf } from '../../../platform/openapi/header.docs.js';
import { ref } from '../../../platform/openapi/schemas.js';
import { ApiProblems } from '../../site/problems.http.js';
import { CreateIntentRequest } from './dto/create-intent.request.js';
import * as examples from './dto/examples.js';
import {
  IntentWithPaymentResponse,
  PageOfIntentsResponse,
  PaymentIntentResponse,
} from './dto/payment-intent.response.js';
import type { IntentHeader } from './headers.http.js';

const LIST = '/api/v1/intents';
const ONE = `${LIST}/pi_01kdk3x0t6s2v9m4c8q7p5z1r0w3ya`;
const bodyFlaw = { pointer: '/amount', code: 'invalid_amount', detail: 'amount must be greater than 0.' };
const unknownField = { pointer: '/reason', code: 'unknown_field', detail: 'reason is not a known field.' };
const unknownParameter = {
  parameter: 'limit',
  code: 'unknown_parameter',
  detail: 'limit is not a known parameter.',
};

interface Answered {
  readonly description: string;
  readonly type: Type<unknown>;
  readonly examples: Record<string, { summary: string; value: unknown }>;
  readonly headers?: readonly IntentHeader[];
}

export function Responds(
  status: number,
  { description, type, examples, headers = [] }: Answered,
): MethodDecorator {
  const content = { 'application/json': { schema: ref(type.name), examples } };
  return applyDecorators(
    ApiExtraModels(type),
    ApiResponse({ status, description, headers: headersOf(status, ...headers), content }),
  );
}

/** What any endpoint may answer. */
export const ALWAYS = [
  'bad-request',
  'invalid-api-key',
  'merchant-not-approved',
  'insufficient-scope',
  'https-required',
  'request-timeout',
  'uri-too-long',
  'misdirected-request',
  'headers-too-large',
  'rate-limit-exceeded',
] as const;

const ApiId = () =>
  ApiParam({
    name: 'id',
    description: 'Id of the intent.',
    schema: { type: 'string', pattern: '^pi_[0-9a-z]{30}$', maxLength: 33 },
    example: 'pi_01kdk3x0t6s2v9m4c8q7p5z1r0w3ya',
  });

export const CreateIntentDocs = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'createIntent',
      summary: 'Create a payment intent',
      description:
        'A repeated `idempotencyKey` returns the original intent with 200 and its live status, for ever: a second ' +
        'attempt at an order takes a new key.',
    }),
    ApiBody({ type: CreateIntentRequest, examples: examples.REQUEST_EXAMPLES }),
    Responds(201, {
      description: 'A new intent.',
      type: PaymentIntentResponse,
      examples: examples.CREATED_EXAMPLES,
      headers: ['Location'],
    }),
    Responds(200, {
      description: 'The original intent: the key has been used before.',
      type: PaymentIntentResponse,
      examples: examples.REPLAYED_EXAMPLES,
      headers: ['Location', 'Idempotent-Replayed', 'Idempotency-Mismatch'],
    }),
    ApiProblems(
      { instance: LIST, errors: [bodyFlaw] },
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
    ApiOperation({
      operationId: 'getIntent',
      summary: 'Retrieve a payment intent',
      description: 'With its live status: an intent whose window has lapsed reads `expired` at once.',
    }),
    ApiId(),
    Responds(200, {
      description: 'The intent, with its live status and what has arrived.',
      type: IntentWithPaymentResponse,
      examples: examples.READ_EXAMPLES,
    }),
    ApiProblems(
      { instance: ONE, errors: [unknownParameter] },
      'validation-error',
      ...ALWAYS,
      'intent-not-found',
      'not-acceptable',
      'internal-error',
      'unavailable',
    ),
  );

export const CancelIntentDocs = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'cancelIntent',
      summary: 'Cancel a payment intent',
      description:
        'While it is `initiated`, or `pending` and short of its amount. What has arrived by then, and whatever still ' +
        'arrives, is in your wallet, and yours to refund: look at `payment` of the answer. Nothing happens to one that ' +
        'is cancelled already. There is no body.',
    }),
    ApiId(),
    Responds(200, {
      description: 'The intent, cancelled, now or before.',
      type: IntentWithPaymentResponse,
      examples: examples.CANCELLED_EXAMPLES,
    }),
    ApiProblems(
      { instance: `${ONE}/cancel`, errors: [unknownField] },
      'validation-error',
      'malformed-json',
      ...ALWAYS,
      'intent-not-found',
      'conflict',
      'payload-too-large',
      'unsupported-media-type',
      'not-acceptable',
      'internal-error',
      'unavailable',
    ),
  );

export const ListIntentsDocs = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'listIntents',
      summary: 'List payment intents, newest first',
      description:
        'With their live status. A page past the end has no items. Unknown parameters are refused.',
    }),
    Responds(200, {
      description: 'A page of intents.',
      type: PageOfIntentsResponse,
      examples: examples.PAGE_EXAMPLES,
    }),
    ApiProblems(
      { instance: LIST, errors: [unknownParameter] },
      'validation-error',
      ...ALWAYS,
      'not-acceptable',
      'internal-error',
      'unavailable',
    ),
  );
