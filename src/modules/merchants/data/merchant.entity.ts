import { Column, Entity, PrimaryColumn } from 'typeorm';
import { asNumber } from '../../../database/columns.js';
import type { Logo, MerchantStatus } from '../merchants.types.js';
import type { Terms } from '../terms.types.js';

@Entity('merchant')
export class MerchantEntity {
  @PrimaryColumn('text', { collation: 'C' })
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  status!: MerchantStatus;

  @Column('text', { name: 'support_contact', nullable: true })
  supportContact!: string | null;

  @Column('text', { nullable: true })
  color!: string | null;

  @Column('jsonb', { nullable: true })
  logo!: Logo | null;

  @Column('integer', { name: 'tolerance_bps', default: 0 })
  toleranceBps!: number;

  @Column('boolean', { name: 'tolerance_chosen', default: false })
  toleranceChosen!: boolean;

  @Column('integer', { name: 'spread_bps', default: 0 })
  spreadBps!: number;

  @Column('boolean', { name: 'accept_seen_late', default: true })
  acceptSeenLate!: boolean;

  @Column('integer', { name: 'accept_short_bps', default: 0 })
  acceptShortBps!: number;

  @Column('bigint', { name: 'accept_short_minor', default: 0, transformer: asNumber })
  acceptShortMinor!: number;

  @Column('integer', { name: 'accept_late_minutes', default: 0 })
  acceptLateMinutes!: number;

  @Column('integer', { name: 'accept_late_move_bps', default: 0 })
  acceptLateMoveBps!: number;

  @Column('text', { name: 'alert_emails', array: true, default: [] })
  alertEmails!: string[];

  @Column('jsonb', { name: 'network_terms', default: {} })
  networkTerms!: Terms;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
