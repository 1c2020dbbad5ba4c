import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { Family } from '../../../../config/config.types.js';

@Entity('address')
@Unique('address_extended_key_id_derivation_index_key', ['extendedKeyId', 'derivationIndex'])
@Index('address_subject', ['subject'])
export class AddressEntity {
  @PrimaryColumn('text')
  family: Family;

  @PrimaryColumn('text')
  address: string;

  /** Either this with an index, or a destination with a salt. */
  @Column({ type: 'text', name: 'extended_key_id', collation: 'C', nullable: true })
  extendedKeyId: string | null;

  @Column('integer', { name: 'derivation_index', nullable: true })
  derivationIndex: number | null;

  @Column({ type: 'text', name: 'destination_id', collation: 'C', nullable: true })
  destinationId: string | null;

  /** 32 bytes in hexadecimal, with 0x. */
  @Column('text', { nullable: true })
  salt: string | null;

  @Column({ type: 'text', collation: 'C' })
  subject: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  /** By network, the block that its watcher had passed then: what stands there was not sent to whom it was issued for. */
  @Column('jsonb', { default: () => "'{}'" })
  passed: Readonly<Record<string, number>>;

  /** By network, the cursor's height when its watcher left the balance to the comparison with the chain. */
  @Column('jsonb', { name: 'coin_left', default: () => "'{}'" })
  coinLeft: Readonly<Record<string, number>>;
}
