import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Role } from '../accounts.types.js';

@Entity('membership')
export class MembershipEntity {
  @PrimaryColumn('text', { name: 'person_id', collation: 'C' })
  personId!: string;

  @PrimaryColumn('text', { name: 'merchant_id', collation: 'C' })
  merchantId!: string;

  @Column('text')
  role!: Role;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
