import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import { asBigInt } from '../../../../database/columns.js';

@Entity('watch_lease')
@Unique('watch_lease_network_term_key', ['network', 'term'])
export class WatchLeaseEntity {
  @PrimaryColumn('text')
  network: string;

  @Column('text')
  holder: string;

  @Column('bigint', { transformer: asBigInt })
  term: bigint;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;
}
