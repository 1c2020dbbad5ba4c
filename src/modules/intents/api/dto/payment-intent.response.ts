import { CURRENCIES } from '../../../../kernel/fiat.js';
import { INTENT_STATUSES } from '../../../../kernel/intent-status.js';
import { ApiProperty } from '../../../../platform/openapi/decorators.js';
import { ref } from '../../../../platform/openapi/schemas.js';
import type { IntentWithPayment, PageOf, Payment, PaymentIntent } from '../../intents.types.js';
import { ANY_TEXT } from './constraints.js';
import { MAX_PAGE } from './list-intents.query.js';
import { MAX_PAGE_SIZE } from './page-size.js';

const nullable = { nullable: true, type: 'string' } as const;
const instant = {
  type: 'string',
  format: 'date-time',
  maxLength: 24,
  example: '2026-11-21T08:15:00.000Z',
} as const;

/** The resource as the contract shows it. */
export class PaymentIntentResponse implements PaymentIntent {
  @ApiProperty({
    example: 'pi_01kdk3x0t6s2v9m4c8q7p5z1r0w3ya',
    pattern: '^pi_[0-9a-z]{30}$',
    maxLength: 33,
    description: 'Keep it with the order. Sorts by the time of creation.',
  })
  readonly id!: string;

  @ApiProperty({ enum: INTENT_STATUSES, description: 'Live: a lapsed window reads `expired` at once.' })
  readonly status!: PaymentIntent['status'];

  @ApiProperty({
    type: 'number',
    exclusiveMinimum: 0 as never,
    maximum: 999_999.99,
    example: 49.9,
    description: 'Fiat amount charged.',
  })
  readonly amount!: number;

  @ApiProperty({ enum: CURRENCIES, description: 'Fiat currency of `amount`.' })
  readonly currency!: PaymentIntent['currency'];

  @ApiProperty({
    ...nullable,
    minLength: 1,
    maxLength: 200,
    pattern: ANY_TEXT,
    example: 'Order 1001',
    description: 'Title passed at creation.',
  })
  readonly title!: string | null;

  @ApiProperty({
    ...nullable,
    maxLength: 50,
    pattern: '^\\S+$',
    example: 'USDC',
    description: 'Asset that the buyer picked; null until then.',
  })
  readonly assetSymbol!: string | null;

  @ApiProperty({
    ...nullable,
    example: '62.37500000',
    pattern: '^\\d+\\.\\d{8}$',
    maxLength: 100,
    description: 'Exact amount to send, a decimal string with 8 places; null until an asset is picked.',
  })
  readonly cryptoAmount!: string | null;

  @ApiProperty({
    ...nullable,
    maxLength: 100,
    pattern: '^[0-9A-Za-z]+$',
    example: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    description: 'Address the buyer pays to; null until an asset is picked.',
  })
  readonly depositAddress!: string | null;

  @ApiProperty({
    type: 'string',
    format: 'uri',
    maxLength: 500,
    example: 'https://pay.rappen.example/pay/pi_01kdk3x0t6s2v9m4c8q7p5z1r0w3ya',
    description: 'Send the buyer here.',
  })
  readonly checkoutUrl!: string;

  @ApiProperty({
    ...nullable,
    pattern: '^[hH][tT][tT][pP][sS]://',
    maxLength: 500,
    example: 'https://shop.example/thanks',
    description: 'Where the buyer may return to, as passed at creation.',
  })
  readonly returnUrl!: string | null;

  @ApiProperty({ ...instant, description: 'Time of creation.' })
  readonly createdAt!: string;

  @ApiProperty({ ...instant, description: 'End of the payment window: 15 minutes after creation.' })
  readonly expiresAt!: string;

  @ApiProperty({
    ...instant,
    nullable: true,
    description: 'When the deposit was confirmed on chain, if it was.',
  })
  readonly confirmedAt!: string | null;

  @ApiProperty({
    ...instant,
    nullable: true,
    description: 'When the payment settled, if it did: fulfil on this.',
  })
  readonly settledAt!: string | null;

  @ApiProperty({
    ...nullable,
    minLength: 1,
    maxLength: 255,
    pattern: ANY_TEXT,
    example: 'order-1001',
    description: 'As passed at creation: with your order’s id as the key, this is your order’s id.',
  })
  readonly idempotencyKey!: string | null;
}

export class IntentWithPaymentResponse extends PaymentIntentResponse implements IntentWithPayment {
  @ApiProperty({
    ...ref('Payment'),
    description: 'What has arrived by now; null until an asset is picked. A list leaves it out.',
  })
  readonly payment!: Payment | null;
}

export class PageOfIntentsResponse implements PageOf<PaymentIntent> {
  @ApiProperty({ type: [PaymentIntentResponse], maxItems: 100, description: 'Newest first.' })
  readonly items!: readonly PaymentIntentResponse[];

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    example: 1,
    description: 'How many intents match, on all pages.',
  })
  readonly total!: number;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: MAX_PAGE,
    example: 1,
    description: 'This page, 1-based.',
  })
  readonly page!: number;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    example: 20,
    description: 'How many items a page holds at most.',
  })
  readonly pageSize!: number;
}
