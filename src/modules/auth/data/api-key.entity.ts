import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Scope } from '../auth.types.js';

@Entity('api_key')
export class ApiKeyEntity {
  @PrimaryColumn('text')
  id!: string;

  @Column('text', { name: 'merchant_id' })
  merchantId!: string;

  @Column('bytea', { select: false })
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
