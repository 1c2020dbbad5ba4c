import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('refund_request')
export class RefundRequestEntity {
  @PrimaryColumn('text')
  id!: string;

  @Column('text', { name: 'intent_id' })
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
