import type { ContractPart } from '../../platform/openapi/openapi.js';
import { WAITS_BEFORE_TRY_MS } from './domain/schedule.js';
import { eventOperation, eventSchema } from './event-docs.http.js';

/** The wait before each try, for the documentation. */
export const RETRY_WAITS_MS: readonly number[] = WAITS_BEFORE_TRY_MS;

const ENDPOINT_ID = 'we_01kdk3x0t6s2v9m4c8q7p5z1r0w3ya';

const EXAMPLE = {
  id: 'evt_01kdk5b2w8n4t7x0c3v6m9q1z5h2dp',
  type: 'webhook.test',
  timestamp: '2026-11-21T08:32:00.000Z',
  sequence: 1,
  data: { endpoint: { id: ENDPOINT_ID } },
};

/** The event that somebody asks for, to see whether an endpoint works. */
export const TEST_EVENT_DOCS: ContractPart = {
  webhooks: {
    'webhook.test': eventOperation({
      operationId: 'onWebhookTest',
      summary: 'Somebody asked for a test of this endpoint',
      description:
        'Sent to one endpoint when its merchant or the operator asks for it, and signed like every event. It says ' +
        'nothing about any payment: verify it, answer 2xx, do nothing. It is tried once.',
      schema: 'WebhookTestEvent',
      examples: { test: { summary: 'A test', value: EXAMPLE } },
      responses: {
        '2XX': { description: 'Received.' },
        default: { description: 'Shown to whoever asked for the test; it is not tried again.' },
      },
    }),
  },
  schemas: {
    WebhookTestEvent: eventSchema({
      type: 'webhook.test',
      description: 'A test of an endpoint.',
      sequence: 'Counts the tests of this endpoint.',
      data: {
        type: 'object',
        required: ['endpoint'],
        properties: {
          endpoint: {
            type: 'object',
            required: ['id'],
            properties: {
              id: { type: 'string', pattern: '^we_[0-9a-z]{30}$', maxLength: 33, example: ENDPOINT_ID },
            },
          },
        },
      },
    }),
  },
};
