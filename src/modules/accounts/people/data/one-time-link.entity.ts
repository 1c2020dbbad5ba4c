import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { LinkKind, Role } from '../../accounts.types.js';

@Entity('one_time_link')
export class OneTimeLinkEntity {
  /** SHA-256 of 256 random bits. */
  @PrimaryColumn('bytea')
  hash!: Buffer;

  /** Names it to whoever is signed in; the link holds something else. */
  @Column({ type: 'text', collation: 'C', unique: true })
  id!: string;

  @Column('text')
  kind!: LinkKind;

  @Column('text')
  email!: string;

  @Column({ type: 'text', name: 'merchant_id', collation: 'C', nullable: true })
  merchantId!: string | null;

  @Column('text', { nullable: true })
  role!: Role | null;

  @Column('boolean', { name: 'is_operator', default: false })
  isOperator!: boolean;

  @Column('text', { name: 'created_by' })
  createdBy!: string;

  /** `null`: the command line. */
  @Column({ type: 'text', name: 'invited_by', collation: 'C', nullable: true })
  invitedBy!: string | null;

  @Column('text', { name: 'delivered_to', default: 'inviter' })
  deliveredTo!: 'mailbox' | 'inviter';

  /** The mail that brings it; `null`: it was shown to the inviter. */
  @Column({ type: 'text', name: 'mail_id', collation: 'C', nullable: true })
  mailId!: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'clock_timestamp()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  /** The link opens nothing any more; the invitation itself may be open. */
  @Column('timestamptz', { name: 'spent_at', nullable: true })
  spentAt!: Date | null;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;

  @Column('text', { name: 'ended_as', nullable: true })
  endedAs!: 'accepted' | 'declined' | 'withdrawn' | 'replaced' | null;
}
