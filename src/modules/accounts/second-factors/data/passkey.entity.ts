import { Column, Entity, PrimaryColumn } from 'typeorm';
import { asNumber } from '../../../../database/columns.js';

@Entity('passkey')
export class PasskeyEntity {
  @PrimaryColumn('text', { collation: 'C' })
  id!: string;

  /** base64url, chosen by the authenticator. */
  @Column('text', { name: 'credential_id', unique: true })
  credentialId!: string;

  @Column({ type: 'text', name: 'person_id', collation: 'C' })
  personId!: string;

  /** COSE. */
  @Column('bytea', { name: 'public_key' })
  publicKey!: Buffer;

  @Column('bigint', { transformer: asNumber })
  counter!: number;

  @Column('text', { array: true })
  transports!: string[];

  @Column('text')
  label!: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;
}
