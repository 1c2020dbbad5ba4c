import { applyDecorators } from '@nestjs/common';
import { ApiOperation } from '../../../platform/openapi/decorators.js';
import { ApiProblems } from '../../site/problems.http.js';
import { PAGE_OF_EVENTS_EXAMPLES } from './dto/examples.js';
import { PageOfEventsResponse } from './dto/page-of-events.response.js';
import { ALWAYS, Responds } from './intents.http.js';
import { unknownEvent } from './payment-events.service.js';

export const ListEventsDocs = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'listEvents',
      summary: 'List events in the order of their commit',
      description:
        'For a receiver that was down, or instead of one: `after` is the id of the last event of this list that you have ' +
        'dealt with; without it the list begins with your first. Each event comes exactly once, in an order that never ' +
        'changes, and is the body that webhooks carry. Webhooks come in no promised order: after the id of one, what ' +
        'precedes it here and has yet to arrive is not listed. A test of an endpoint is not among them. An event keeps ' +
        'the fields of the day on which it was written: those of version 0.1.0 have no `idempotencyKey`. An empty page ' +
        'means that there is nothing new: keep your `after`, and ask again later.',
    }),
    Responds(200, {
      description: 'A page of events, oldest first.',
      type: PageOfEventsResponse,
      examples: PAGE_OF_EVENTS_EXAMPLES,
    }),
    ApiProblems(
      { instance: '/api/v1/events', errors: [unknownEvent] },
      'validation-error',
      ...ALWAYS,
      'not-acceptable',
      'internal-error',
      'unavailable',
    ),
  );
