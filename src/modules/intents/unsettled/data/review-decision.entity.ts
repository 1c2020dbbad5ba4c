import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import { asBigInt } from '../../../../database/columns.js';
import type { ReviewDecision } from '../../reviews.types.js';

@Entity('review_decision')
@Unique('review_decision_of_intent', ['id', 'intentId'])
export class ReviewDecisionEntity {
  @PrimaryColumn('text', { collation: 'C' })
  id!: string;

  @Column({ type: 'text', name: 'intent_id', collation: 'C' })
  intentId!: string;

  @Column('text')
  kind!: ReviewDecision['kind'];

  @Column('text')
  actor!: string;

  @Column('text')
  note!: string;

  @Column('text', { array: true })
  transfers!: string[];

  @Column('text', { name: 'refund_amount', nullable: true })
  refundAmount!: string | null;

  @Column('text', { name: 'refund_network', nullable: true })
  refundNetwork!: string | null;

  @Column('text', { name: 'refund_asset', nullable: true })
  refundAsset!: string | null;

  @Column('smallint', { name: 'refund_decimals', nullable: true })
  refundDecimals!: number | null;

  @Column('numeric', { name: 'refund_atoms', precision: 78, scale: 0, nullable: true, transformer: asBigInt })
  refundAtoms!: bigint | null;

  @Column('text', { name: 'refund_txid', nullable: true })
  refundTxid!: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'clock_timestamp()' })
  createdAt!: Date;
}
