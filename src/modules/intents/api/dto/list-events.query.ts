import { IsOptional } from 'class-validator';
import { ApiProperty } from '../../../../platform/openapi/decorators.js';
import { IsEventId } from './constraints.js';
import { DEFAULT_PAGE_SIZE, IsPageSize } from './page-size.js';

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

  @IsPageSize('events')
  pageSize = DEFAULT_PAGE_SIZE;
}
