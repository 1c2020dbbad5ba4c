import { Column, Entity, PrimaryColumn } from 'typeorm';
import { asNumber } from '../../../../database/columns.js';

@Entity('chain_block')
export class ChainBlockEntity {
  @PrimaryColumn('text')
  network: string;

  @PrimaryColumn('bigint', { transformer: asNumber })
  height: number;

  @Column('text')
  hash: string;

  /** By the database's clock. */
  @Column('timestamptz', { name: 'recorded_at', default: () => 'clock_timestamp()' })
  recordedAt: Date;
}
