import { IsDefined, IsIn, IsOptional, IsString } from 'class-validator';
import { CURRENCIES, type Currency } from '../../../../kernel/fiat.js';
import { ApiProperty } from '../../../../platform/openapi/decorators.js';
import { ANY_TEXT, HasLength, IsFiatAmount, IsReturnUrl } from './constraints.js';

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
  amount!: number;

  @ApiProperty({ enum: CURRENCIES, example: 'CHF', description: 'Fiat currency of the amount.' })
  @IsIn(CURRENCIES, { message: `currency must be one of ${CURRENCIES.join(', ')}.` })
  @IsDefined({ message: 'currency is required.' })
  currency!: Currency;

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

  // No `format: uri`: more is taken, such as https://shop.example/{id}, and comes back byte for byte.
  @ApiProperty({
    description:
      'Where the checkout’s way back to the merchant leads, byte for byte, with `service_intent` and `status` appended to its query: absolute https in ASCII (other characters percent-encoded, the host in punycode), without user info, and without these two parameters.',
    required: false,
    nullable: true,
    type: 'string',
    pattern: '^[hH][tT][tT][pP][sS]://[!-\\[\\]-~]+$',
    maxLength: 500,
    example: 'https://shop.example/thanks',
  })
  @IsReturnUrl()
  @IsString({ message: 'returnUrl must be a string.' })
  @IsOptional()
  returnUrl?: string | null;
}
