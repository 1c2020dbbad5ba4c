import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('wallet')
export class WalletEntity {
  @PrimaryColumn('text', { name: 'merchant_id', collation: 'C' })
  merchantId: string;

  @PrimaryColumn('text')
  network: string;

  @Column({ type: 'text', name: 'extended_key_id', collation: 'C' })
  extendedKeyId: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
