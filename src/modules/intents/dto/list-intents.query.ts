import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { INTENT_STATUSES, type IntentStatus } from '../../../kernel/intent-status.js';
import { IsInstant, IsQueryInteger, IsStatusFilter } from './constraints.js';

const MAX_PAGE = 1_000_000;

export class ListIntentsQuery {
  @ApiProperty({
    required: false,
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE,
    default: 1,
    description: '1-based.',
  })
  @IsQueryInteger(1, MAX_PAGE)
  @IsOptional()
  page?: string;

  @ApiProperty({ required: false, type: 'integer', minimum: 1, maximum: 100, default: 20 })
  @IsQueryInteger(1, 100)
  @IsOptional()
  pageSize?: string;

  @ApiProperty({
    required: false,
    enum: INTENT_STATUSES,
    isArray: true,
    description: 'One status; repeat the parameter for several (OR).',
  })
  @IsStatusFilter()
  @IsOptional()
  status?: IntentStatus | IntentStatus[];

  @ApiProperty({ required: false, type: 'string', format: 'date-time', description: 'Created at or after.' })
  @IsInstant()
  @IsOptional()
  createdFrom?: string;

  @ApiProperty({ required: false, type: 'string', format: 'date-time', description: 'Created before.' })
  @IsInstant()
  @IsOptional()
  createdTo?: string;
}
