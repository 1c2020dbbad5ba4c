import { Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';
import type { DeliveryState } from '../webhooks.types.js';

@Entity('delivery')
@Unique(['eventId', 'endpointId'])
export class Delivery {
  /** A bigint as text: it only names the row. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column({ name: 'event_id', type: 'text', collation: 'C' })
  eventId: string;

  @Column({ name: 'endpoint_id', type: 'text', collation: 'C' })
  endpointId: string;

  @Column({ type: 'text', default: 'pending' })
  state: DeliveryState;

  @Column({ type: 'integer', default: 0 })
  attempts: number;

  @Column({ name: 'next_attempt_at', type: 'timestamptz', default: () => 'now()' })
  nextAttemptAt: Date;

  @Column({ name: 'lease_until', type: 'timestamptz', nullable: true })
  leaseUntil: Date | null;

  @Column({ name: 'lease_token', type: 'uuid', nullable: true })
  leaseToken: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  @Column({ name: 'delivered_at', type: 'timestamptz', nullable: true })
  deliveredAt: Date | null;
}
