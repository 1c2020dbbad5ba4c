import { IsOptional } from 'class-validator';
import { ApiProperty } from '../../../../platform/openapi/decorators.js';
import { IsEventId, IsQueryInteger } from './constraints.js';
import { MAX_PAGE_SIZE } from './list-intents.query.js';

export class ListEventsQuery {
  @ApiProperty({
    required: false,
    type: 'string',
    pattern: '^evt_[0-9a-z]{30}$',
    maxLength: 34,
    description: 'The id of an event: what follows is listed. Without it, from your first event on.',
    example: 'evt_01kdk4ew8m7h3n9t2x6c5b8v4q1z0d',
  })
  @IsEventId()
  @IsOptional()
  after?: string;

  @ApiProperty({
    required: false,
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: 20,
    description: 'How many events a page holds at most.',
  })
  @IsQueryInteger(1, MAX_PAGE_SIZE)
  @IsOptional()
  pageSize?: string;
}
