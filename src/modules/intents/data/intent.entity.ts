import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import { asBigInt } from '../../../database/columns.js';
import type { Currency } from '../../../kernel/fiat.js';
import type { IntentStatus } from '../../../kernel/intent-status.js';
import type { Intent } from '../domain/model.js';

@Entity('intent')
@Unique('intent_merchant_id_idempotency_key_key', ['merchantId', 'idempotencyKey'])
export class IntentEntity implements Intent {
  @PrimaryColumn('text', { collation: 'C' })
  id!: string;

  @Column({ type: 'text', name: 'merchant_id', collation: 'C' })
  merchantId!: string;

  @Column('text')
  status!: IntentStatus;

  @Column('bigint', { name: 'amount_minor', transformer: asBigInt })
  amountMinor!: bigint;

  @Column('text')
  currency!: Currency;

  @Column('text', { nullable: true })
  title!: string | null;

  @Column('text', { name: 'idempotency_key', nullable: true })
  idempotencyKey!: string | null;

  @Column('text', { name: 'return_url', nullable: true })
  returnUrl!: string | null;

  @Column({ type: 'text', name: 'quote_id', collation: 'C', nullable: true })
  quoteId!: string | null;

  @Column('integer', { default: 1 })
  sequence!: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'completed_at', nullable: true })
  completedAt!: Date | null;

  @Column('timestamptz', { name: 'confirmed_at', nullable: true })
  confirmedAt!: Date | null;

  @Column('timestamptz', { name: 'settled_at', nullable: true })
  settledAt!: Date | null;
}
