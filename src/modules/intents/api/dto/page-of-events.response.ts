import { ApiProperty } from '../../../../platform/openapi/decorators.js';
import { ref } from '../../../../platform/openapi/schemas.js';
import type { EventBody, MoneyEventBody } from '../../domain/present.js';
import { MAX_PAGE_SIZE } from './page-size.js';

export interface PageOfEvents {
  readonly items: readonly (EventBody | MoneyEventBody)[];
  readonly hasMore: boolean;
}

export class PageOfEventsResponse implements PageOfEvents {
  @ApiProperty({
    type: 'array',
    maxItems: MAX_PAGE_SIZE,
    items: {
      oneOf: [ref('PaymentStatusEvent'), ref('PaymentMoneyEvent')],
      discriminator: {
        propertyName: 'type',
        mapping: {
          'payment.status': ref('PaymentStatusEvent').$ref,
          'payment.money': ref('PaymentMoneyEvent').$ref,
        },
      },
    },
    description: 'Oldest first; `after` of the next page is the `id` of the last one. Branch on `type`.',
  })
  readonly items!: readonly (EventBody | MoneyEventBody)[];

  @ApiProperty({ description: 'Whether there are more by now.', example: false })
  readonly hasMore!: boolean;
}
