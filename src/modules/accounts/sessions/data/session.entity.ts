import { Column, Entity, PrimaryColumn } from 'typeorm';

/** `second-factor` while only the password is known: such a session opens nothing else. */
export type SessionStage = 'second-factor' | 'full';

@Entity('session')
export class SessionEntity {
  /** Names it in lists; the cookie holds something else. */
  @PrimaryColumn('text', { collation: 'C' })
  id!: string;

  @Column('bytea', { name: 'token_hash', unique: true })
  tokenHash!: Buffer;

  @Column({ type: 'text', name: 'person_id', collation: 'C' })
  personId!: string;

  @Column('text')
  stage!: SessionStage;

  /** The one that is looked at, of several. */
  @Column({ type: 'text', name: 'merchant_id', collation: 'C', nullable: true })
  merchantId!: string | null;

  /** Sealed for this row: awaits its first code, which turns it into the person's. */
  @Column('text', { name: 'pending_totp_secret', nullable: true })
  pendingTotpSecret!: string | null;

  @Column('text')
  address!: string;

  @Column('text', { name: 'user_agent' })
  userAgent!: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'clock_timestamp()' })
  createdAt!: Date;

  /** Exact to a minute. */
  @Column('timestamptz', { name: 'last_seen_at', default: () => 'clock_timestamp()' })
  lastSeenAt!: Date;

  /** When the person last proved who they are. */
  @Column('timestamptz', { name: 'proven_at', default: () => 'clock_timestamp()' })
  provenAt!: Date;
}
