import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsOptional } from 'class-validator';
import { ApiProperty } from '../../../../platform/openapi/decorators.js';
import { IsQueryInteger } from './constraints.js';
import { toInteger } from './query-values.js';

export const MAX_PAGE_SIZE = 100;
export const DEFAULT_PAGE_SIZE = 20;

/** How long a page of a list is. @param things what it lists */
export function IsPageSize(things: string): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      required: false,
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: MAX_PAGE_SIZE,
      default: DEFAULT_PAGE_SIZE,
      description: `How many ${things} a page holds at most.`,
    }),
    Transform(toInteger),
    IsQueryInteger(1, MAX_PAGE_SIZE),
    IsOptional(),
  );
}
