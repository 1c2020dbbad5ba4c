/** The three headers of Standard Webhooks 1.0.0, on every event. */
const SIGNATURE_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
  name,
  in: 'header',
  required: true,
  schema: { type: 'string' },
}));

/** The test event, as OpenAPI 3.1's `webhooks`. */
export const WEBHOOK_TEST_DOCS = {
  'webhook.test': {
    post: {
      operationId: 'onWebhookTest',
      summary: 'Somebody asked for a test of this endpoint',
      description:
        'Sent to one endpoint when its merchant or the operator asks for it, and signed like every event. It says ' +
        'nothing about any payment: verify it, answer 2xx, do nothing. It is tried once.',
      parameters: SIGNATURE_HEADERS,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['id', 'type', 'timestamp', 'sequence', 'data'],
              properties: {
                id: { type: 'string', description: 'The `webhook-id`.' },
                type: { const: 'webhook.test' },
                timestamp: { type: 'string', format: 'date-time' },
                sequence: { type: 'integer', minimum: 1, description: 'Counts the tests of this endpoint.' },
                data: {
                  type: 'object',
                  required: ['endpoint'],
                  properties: {
                    endpoint: {
                      type: 'object',
                      required: ['id'],
                      properties: { id: { type: 'string', example: 'we_01kdk3x0t6s2v9m4c8q7p5z1r0w3ya' } },
                    },
                  },
                },
              },
            },
          },
        },
      },
      responses: { '2XX': { description: 'Received.' } },
    },
  },
};
