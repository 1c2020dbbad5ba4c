import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('refund_request')
export class RefundRequestEntity {
  @PrimaryColumn('text', { collation: 'C' })
  id!: string;

  @Column({ type: 'text', name: 'intent_id', collation: 'C' })
  intentId!: string;

  @Column('text')
  network!: string;

  @Column('text')
  address!: string;

  @Column('text', { nullable: true })
  note!: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'clock_timestamp()' })
  createdAt!: Date;
}
