import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Family } from '../../../../config/config.types.js';

@Entity('extended_key')
export class ExtendedKeyEntity {
  @PrimaryColumn('text', { collation: 'C' })
  id!: string;

  @Column({ type: 'text', name: 'merchant_id', collation: 'C' })
  merchantId!: string;

  @Column('text')
  family!: Family;

  @Column('text')
  xpub!: string;

  @Column('text', { name: 'key_material', unique: true })
  keyMaterial!: string;

  @Column('integer', { name: 'next_index', default: 0 })
  nextIndex!: number;

  @Column('integer', { name: 'first_index', default: 0 })
  firstIndex!: number;

  /** Networks whose node has yet to say which indexes were used before: on these it issues nothing. */
  @Column('text', { array: true, default: [] })
  unsearched!: string[];

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
