import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ReviewReason } from '../../reviews.types.js';

@Entity('review_entry')
export class ReviewEntryEntity {
  @PrimaryColumn('text', { name: 'intent_id', collation: 'C' })
  intentId!: string;

  @Column({ type: 'text', name: 'merchant_id', collation: 'C' })
  merchantId!: string;

  @Column('text')
  reason!: ReviewReason;

  @Column('text', { array: true })
  transfers!: string[];

  @Column('timestamptz', { name: 'opened_at', default: () => 'clock_timestamp()' })
  openedAt!: Date;
}
