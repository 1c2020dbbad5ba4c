import { Column, Entity, PrimaryColumn } from 'typeorm';
import { asBigInt } from '../../../database/columns.js';

@Entity('fact_change')
export class FactChangeEntity {
  @PrimaryColumn('text', { collation: 'C' })
  subject!: string;

  @Column('bigint', { transformer: asBigInt, default: () => 'pg_current_xact_id()::text::bigint' })
  version!: bigint;

  @Column('timestamptz', { name: 'changed_at', default: () => 'clock_timestamp()' })
  changedAt!: Date;
}
