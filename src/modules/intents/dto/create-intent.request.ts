import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsIn, IsOptional, IsString } from 'class-validator';
import { CURRENCIES, type Currency } from '../../../kernel/fiat.js';
import { HasLength, IsFiatAmount, IsReturnUrl } from './constraints.js';

/** Any text without NUL; half of a surrogate pair is refused too, which no pattern can say. */
export const ANY_TEXT = '^[^\\u0000]*$';

export class CreateIntentRequest {
  @ApiProperty({
    description: 'Fiat amount to charge: positive, at most two decimals, at most 999,999.99. Never rounded.',
    type: 'number',
    exclusiveMinimum: 0 as never,
    maximum: 999_999.99,
    example: 49.9,
  })
  @IsFiatAmount()
  @IsDefined({ message: 'amount is required.' })
  amount: number;

  @ApiProperty({ enum: CURRENCIES, example: 'CHF', description: 'Fiat currency of the amount.' })
  @IsIn(CURRENCIES, { message: `currency must be one of ${CURRENCIES.join(', ')}.` })
  @IsDefined({ message: 'currency is required.' })
  currency: Currency;

  @ApiProperty({
    description: 'Shown to the buyer. When omitted, the checkout shows the merchant’s display name.',
    required: false,
    nullable: true,
    type: 'string',
    minLength: 1,
    maxLength: 200,
    pattern: ANY_TEXT,
    example: 'Order 1001',
  })
  @HasLength(1, 200)
  @IsString({ message: 'title must be a string.' })
  @IsOptional()
  title?: string | null;

  @ApiProperty({
    description:
      'Unique per merchant, for ever; typically your order id. The same key returns the original intent, whatever the rest of the request says.',
    required: false,
    nullable: true,
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: ANY_TEXT,
    example: 'order-1001',
  })
  @HasLength(1, 255)
  @IsString({ message: 'idempotencyKey must be a string.' })
  @IsOptional()
  idempotencyKey?: string | null;

  // No `format: uri`: what browsers take for a URL, such as https://shop.example/ü, is taken, and shown as it was sent.
  @ApiProperty({
    description: 'Where the checkout’s “Return to merchant” leads: absolute https, without user info.',
    required: false,
    nullable: true,
    type: 'string',
    pattern: '^[hH][tT][tT][pP][sS]://',
    maxLength: 500,
    example: 'https://shop.example/thanks',
  })
  @IsReturnUrl()
  @IsString({ message: 'returnUrl must be a string.' })
  @IsOptional()
  returnUrl?: string | null;
}
