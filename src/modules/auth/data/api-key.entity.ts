import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Scope } from '../auth.types.js';

@Entity('api_key')
export class ApiKeyEntity {
  @PrimaryColumn('text', { collation: 'C' })
  id!: string;

  @Column({ type: 'text', name: 'merchant_id', collation: 'C' })
  merchantId!: string;

  @Column('bytea', { unique: true, select: false })
  hash!: Buffer;

  @Column('text')
  prefix!: string;

  @Column('text')
  label!: string;

  @Column('text', { array: true })
  scopes!: Scope[];

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
}
