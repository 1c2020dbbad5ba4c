import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DisabledReason, EndpointEvent } from '../webhooks.types.js';

@Entity('webhook_endpoint')
export class WebhookEndpointEntity {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @Column({ name: 'merchant_id', type: 'text', collation: 'C' })
  merchantId!: string;

  @Column({ type: 'text' })
  url!: string;

  @Column({ type: 'text', array: true, default: ['payment.status'] })
  events!: EndpointEvent[];

  /** What is older owes it nothing of what it asked for then. */
  @Column({ name: 'events_changed_at', type: 'timestamptz', nullable: true })
  eventsChangedAt!: Date | null;

  /** Sealed for this row (`endpoint-secret.ts`). */
  @Column({ type: 'text' })
  secret!: string;

  @Column({ name: 'previous_secret', type: 'text', nullable: true })
  previousSecret!: string | null;

  @Column({ name: 'previous_secret_until', type: 'timestamptz', nullable: true })
  previousSecretUntil!: Date | null;

  @Column({ name: 'disabled_at', type: 'timestamptz', nullable: true })
  disabledAt!: Date | null;

  @Column({ name: 'disabled_reason', type: 'text', nullable: true })
  disabledReason!: DisabledReason | null;

  @Column({ name: 'failures_since', type: 'timestamptz', nullable: true })
  failuresSince!: Date | null;

  @Column({ name: 'consecutive_failures', type: 'integer', default: 0 })
  consecutiveFailures!: number;

  /** We disabled it and its merchant has not been told yet. */
  @Column({ name: 'notice_due', type: 'boolean', default: false })
  noticeDue!: boolean;

  /** Enabled then; its deliveries have not all followed yet, and nothing is sent before they have. */
  @Column({ name: 'settling_since', type: 'timestamptz', nullable: true })
  settlingSince!: Date | null;

  /** When it was enabled what had waited for it up to this delivery was given up. */
  @Column({ name: 'given_up_to', type: 'bigint', nullable: true })
  givenUpTo!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;
}
