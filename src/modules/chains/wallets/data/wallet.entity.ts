import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('wallet')
export class WalletEntity {
  @PrimaryColumn('text', { name: 'merchant_id', collation: 'C' })
  merchantId!: string;

  @PrimaryColumn('text')
  network!: string;

  /** Either this or a destination. */
  @Column({ type: 'text', name: 'extended_key_id', collation: 'C', nullable: true })
  extendedKeyId!: string | null;

  @Column({ type: 'text', name: 'destination_id', collation: 'C', nullable: true })
  destinationId!: string | null;

  /** How often it was set to another key or address, the first time included. */
  @Column('integer', { default: 1 })
  changes!: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
