import { count, ref } from '../../platform/openapi/schemas.js';

/** Of Standard Webhooks 1.0.0, on every event: name, description, pattern, example. */
const SIGNATURE_HEADERS = [
  ['webhook-id', 'The event’s id.', '^evt_[0-9a-z]{30}$', 'evt_01kdk4ew8m7h3n9t2x6c5b8v4q1z0d'],
  ['webhook-timestamp', 'Seconds since 1970, of this attempt.', '^\\d+$', '1795249477'],
  [
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; two of them while a secret is being replaced.',
    '^v1,[0-9A-Za-z+/=]+( v1,[0-9A-Za-z+/=]+)*$',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
] as const;

interface EventOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Name of the schema of its body. */
  readonly schema: string;
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

/** An event as a webhook of the contract. */
export function eventOperation({ schema, examples, ...operation }: EventOperation): object {
  const post = {
    ...operation,
    tags: ['Events'],
    security: [],
    parameters: SIGNATURE_HEADERS.map(([name, description, pattern, example]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string', pattern, maxLength: 512 },
      example,
    })),
    requestBody: { required: true, content: { 'application/json': { schema: ref(schema), examples } } },
  };
  return { post };
}

interface EventShape {
  readonly type: string;
  readonly description: string;
  readonly sequence: string;
  readonly data: object;
}

/** What the bodies of all events have in common, around their `data`. */
export function eventSchema({ type, description, sequence, data }: EventShape): object {
  return {
    type: 'object',
    description,
    required: ['id', 'type', 'timestamp', 'sequence', 'data'],
    properties: {
      id: {
        type: 'string',
        pattern: '^evt_[0-9a-z]{30}$',
        maxLength: 34,
        description: 'The same for every endpoint and every attempt.',
      },
      type: { type: 'string', const: type, description: 'What kind of event it is: branch on it.' },
      timestamp: {
        type: 'string',
        format: 'date-time',
        maxLength: 30,
        description: 'When it happened. The time of a delivery is in its headers.',
      },
      sequence: { ...count(1), description: sequence },
      data,
    },
  };
}
