import { Transform } from 'class-transformer';
import { IsOptional, IsString } from 'class-validator';
import { INTENT_STATUSES, type IntentStatus } from '../../../../kernel/intent-status.js';
import { ApiProperty } from '../../../../platform/openapi/decorators.js';
import { ANY_TEXT, HasLength, HasNoNul, IsInstant, IsQueryInteger, IsStatusFilter } from './constraints.js';
import { DEFAULT_PAGE_SIZE, IsPageSize } from './page-size.js';
import { toInstant, toInteger, toList } from './query-values.js';

export const MAX_PAGE = 1_000_000;
/** More do not fit into a request target of 8 KiB. */
const MAX_STATUSES = 1_000;

const instant = { required: false, type: 'string', format: 'date-time', maxLength: 35 } as const;

export class ListIntentsQuery {
  @ApiProperty({
    required: false,
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: MAX_PAGE,
    default: 1,
    description: 'Which page, 1-based.',
  })
  @Transform(toInteger)
  @IsQueryInteger(1, MAX_PAGE)
  @IsOptional()
  page = 1;

  @IsPageSize('intents')
  pageSize = DEFAULT_PAGE_SIZE;

  @ApiProperty({
    required: false,
    enum: INTENT_STATUSES,
    isArray: true,
    maxItems: MAX_STATUSES,
    description: 'One status; repeat the parameter for several (OR).',
  })
  @Transform(toList)
  @IsStatusFilter()
  @IsOptional()
  status?: IntentStatus[];

  @ApiProperty({ ...instant, description: 'Created at or after.', example: '2026-11-21T00:00:00Z' })
  @Transform(toInstant)
  @IsInstant()
  @IsOptional()
  createdFrom?: Date;

  @ApiProperty({ ...instant, description: 'Created before.', example: '2026-11-22T00:00:00Z' })
  @Transform(toInstant)
  @IsInstant()
  @IsOptional()
  createdTo?: Date;

  @ApiProperty({
    required: false,
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: ANY_TEXT,
    description: 'The intent with exactly this key: one at most.',
    example: 'order-1001',
  })
  @HasNoNul()
  @HasLength(1, 255)
  @IsString({ message: 'idempotencyKey must be one text.' })
  @IsOptional()
  idempotencyKey?: string;
}
