import { headerText } from '../../../platform/openapi/header.docs.js';

/** Headers of the answers to a creation. */
export const INTENT_HEADERS = {
  Location: {
    description: 'Path of the intent.',
    required: true,
    schema: headerText('^/api/v1/intents/pi_'),
    example: '/api/v1/intents/pi_01kdk3x0t6s2v9m4c8q7p5z1r0w3ya',
  },
  'Idempotent-Replayed': {
    description: 'Always `true`: this intent was created by an earlier request with the same key.',
    required: true,
    schema: headerText('^true$'),
    example: 'true',
  },
  'Idempotency-Mismatch': {
    description:
      'Fields in which this request differs from the original, which counts. Absent when none does.',
    schema: headerText('^[a-zA-Z]+(, [a-zA-Z]+)*$'),
    example: 'amount, title',
  },
} as const;

export type IntentHeader = keyof typeof INTENT_HEADERS;
