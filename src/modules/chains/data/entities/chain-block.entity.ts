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

  /** Issued addresses that sent a transaction in it, where the node did not say what they held. */
  @Column('text', { array: true, default: () => "'{}'" })
  spenders: string[];
}
