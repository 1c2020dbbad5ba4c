import { IsOptional } from 'class-validator';
import { ApiProperty } from '../../../../platform/openapi/decorators.js';
import { IsQueryInteger } from './constraints.js';

export const MAX_PAGE_SIZE = 100;

/** How long a page of a list is. @param things what it lists */
export function IsPageSize(things: string): PropertyDecorator {
  const decorators = [
    ApiProperty({
      required: false,
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: MAX_PAGE_SIZE,
      default: 20,
      description: `How many ${things} a page holds at most.`,
    }),
    IsQueryInteger(1, MAX_PAGE_SIZE),
    IsOptional(),
  ];
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}
