import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** Never changed, so that the addresses that were issued for it can always be found again. */
@Entity('destination')
@Unique('destination_merchant_id_address_factory_key', ['merchantId', 'address', 'factory'])
export class DestinationEntity {
  @PrimaryColumn('text', { collation: 'C' })
  id!: string;

  @Column({ type: 'text', name: 'merchant_id', collation: 'C' })
  merchantId!: string;

  /** Lower case. */
  @Column('text')
  address!: string;

  @Column('text')
  factory!: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'clock_timestamp()' })
  createdAt!: Date;
}
