import { Column, Entity, PrimaryColumn } from 'typeorm';
import { asNumber } from '../../../database/columns.js';
import type { Language } from '../../../kernel/text/staff-languages.js';

@Entity('person')
export class PersonEntity {
  @PrimaryColumn('text', { collation: 'C' })
  id!: string;

  @Column('text', { unique: true })
  email!: string;

  /** argon2id; `null` until somebody chose a password. Behind a `!` between a reset and the next: it opens nothing then. */
  @Column('text', { name: 'password_hash', nullable: true })
  passwordHash!: string | null;

  @Column('boolean', { name: 'is_operator', default: false })
  isOperator!: boolean;

  /** Sealed for this row (`second-factors.service.ts`). */
  @Column('text', { name: 'totp_secret', nullable: true })
  totpSecret!: string | null;

  /** One that awaits its first code is its session's. */
  @Column('timestamptz', { name: 'totp_enabled_at', nullable: true })
  totpEnabledAt!: Date | null;

  /** Codes up to this step are spent. */
  @Column('bigint', { name: 'totp_last_step', default: 0, transformer: asNumber })
  totpLastStep!: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  /** When somebody first chose a password: from then on no invitation sets one. */
  @Column('timestamptz', { name: 'registered_at', nullable: true })
  registeredAt!: Date | null;

  @Column('timestamptz', { name: 'email_proven_at', nullable: true })
  emailProvenAt!: Date | null;

  /** 'mailbox', or who gave their word for it. */
  @Column('text', { name: 'email_proven_by', nullable: true })
  emailProvenBy!: string | null;

  @Column({ type: 'text', name: 'last_merchant_id', collation: 'C', nullable: true })
  lastMerchantId!: string | null;

  /** In which the person reads here, and is written to; `null` before they first came. */
  @Column('text', { nullable: true })
  language!: Language | null;

  @Column('timestamptz', { name: 'factor_declined_at', nullable: true })
  factorDeclinedAt!: Date | null;
}
