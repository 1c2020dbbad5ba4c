import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Family } from '../../../../config/config.types.js';

/** What it sends is no payment to its merchant, on any network of the family. */
@Entity('own_address')
export class OwnAddressEntity {
  @PrimaryColumn('text', { name: 'merchant_id', collation: 'C' })
  merchantId!: string;

  @PrimaryColumn('text')
  family!: Family;

  /** As the chains write it (EVM: lower case). */
  @PrimaryColumn('text')
  address!: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'clock_timestamp()' })
  createdAt!: Date;
}
