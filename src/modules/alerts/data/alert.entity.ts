import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AlertKind } from '../alerts.types.js';

@Entity('alert')
export class AlertEntity {
  @PrimaryColumn('text', { collation: 'C' })
  id!: string;

  @Column({ type: 'text', name: 'merchant_id', collation: 'C', nullable: true })
  merchantId!: string | null;

  @Column('text')
  kind!: AlertKind;

  @Column('text')
  subject!: string;

  @Column('text')
  summary!: string;

  @Column('text')
  detail!: string;

  @Column('jsonb')
  data!: Record<string, unknown>;

  @Column('timestamptz', { name: 'raised_at', default: () => 'clock_timestamp()' })
  raisedAt!: Date;

  @Column('timestamptz', { name: 'last_raised_at', default: () => 'clock_timestamp()' })
  lastRaisedAt!: Date;

  @Column('timestamptz', { name: 'resolved_at', nullable: true })
  resolvedAt!: Date | null;

  @Column('timestamptz', { name: 'acknowledged_at', nullable: true })
  acknowledgedAt!: Date | null;

  @Column('text', { name: 'acknowledged_by', nullable: true })
  acknowledgedBy!: string | null;

  @Column('text', { name: 'acknowledged_note', nullable: true })
  acknowledgedNote!: string | null;

  @Column('timestamptz', { name: 'mailed_at', nullable: true })
  mailedAt!: Date | null;

  @Column('timestamptz', { name: 'posted_at', nullable: true })
  postedAt!: Date | null;
}
