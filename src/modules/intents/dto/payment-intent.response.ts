import { ApiProperty } from '@nestjs/swagger';
import { CURRENCIES } from '../../../kernel/fiat.js';
import { INTENT_STATUSES } from '../../../kernel/intent-status.js';
import type { PageOf, PaymentIntent } from '../intents.types.js';

const nullable = { nullable: true, type: 'string' } as const;
const instant = { type: 'string', format: 'date-time', example: '2026-11-21T08:15:00.000Z' } as const;

/** The resource as the contract shows it. */
export class PaymentIntentResponse implements PaymentIntent {
  @ApiProperty({ example: 'pi_01kdk3x0t6s2v9m4c8q7p5z1r0w3ya', pattern: '^pi_[0-9a-z]{30}$' })
  readonly id: string;

  @ApiProperty({ enum: INTENT_STATUSES, description: 'Live: a lapsed window reads `expired` at once.' })
  readonly status: PaymentIntent['status'];

  @ApiProperty({ type: 'number', example: 49.9, description: 'Fiat amount charged.' })
  readonly amount: number;

  @ApiProperty({ enum: CURRENCIES })
  readonly currency: PaymentIntent['currency'];

  @ApiProperty({ ...nullable, description: 'Title passed at creation.' })
  readonly title: string | null;

  @ApiProperty({ ...nullable, example: 'USDC', description: 'Asset that the buyer picked; null until then.' })
  readonly assetSymbol: string | null;

  @ApiProperty({
    ...nullable,
    example: '62.37500000',
    pattern: '^\\d+\\.\\d{8}$',
    description: 'Exact amount to send, a decimal string with 8 places; null until an asset is picked.',
  })
  readonly cryptoAmount: string | null;

  @ApiProperty({ ...nullable, description: 'Address the buyer pays to; null until an asset is picked.' })
  readonly depositAddress: string | null;

  @ApiProperty({ type: 'string', format: 'uri', description: 'Send the buyer here.' })
  readonly checkoutUrl: string;

  @ApiProperty({ ...nullable, format: 'uri' })
  readonly returnUrl: string | null;

  @ApiProperty(instant)
  readonly createdAt: string;

  @ApiProperty({ ...instant, description: '15 minutes after creation.' })
  readonly expiresAt: string;

  @ApiProperty({
    ...instant,
    nullable: true,
    description: 'When the deposit was confirmed on chain, if it was.',
  })
  readonly confirmedAt: string | null;

  @ApiProperty({
    ...instant,
    nullable: true,
    description: 'When the payment settled, if it did: fulfil on this.',
  })
  readonly settledAt: string | null;
}

export class PageOfIntentsResponse implements PageOf<PaymentIntent> {
  @ApiProperty({ type: [PaymentIntentResponse], maxItems: 100 })
  readonly items: readonly PaymentIntentResponse[];

  @ApiProperty({ type: 'integer', minimum: 0, description: 'How many intents match, on all pages.' })
  readonly total: number;

  @ApiProperty({ type: 'integer', minimum: 1 })
  readonly page: number;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 100 })
  readonly pageSize: number;
}
