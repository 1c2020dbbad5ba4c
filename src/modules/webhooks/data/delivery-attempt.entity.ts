import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity('delivery_attempt')
export class DeliveryAttempt {
  /** A bigint as text: it only names the row. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column({ name: 'delivery_id', type: 'bigint' })
  deliveryId: string;

  /** Counts from 1 in each run through the schedule. */
  @Column({ type: 'integer' })
  number: number;

  @Column({ name: 'started_at', type: 'timestamptz' })
  startedAt: Date;

  @Column({ name: 'duration_ms', type: 'integer' })
  durationMs: number;

  @Column({ name: 'http_status', type: 'integer', nullable: true })
  httpStatus: number | null;

  @Column({ type: 'text', nullable: true })
  error: string | null;

  @Column({ type: 'text', nullable: true })
  response: string | null;
}
