import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { EventType } from '../webhooks.types.js';

@Entity('event')
@Unique(['subject', 'type', 'sequence'])
export class Event {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id: string;

  @Column({ name: 'merchant_id', type: 'text', collation: 'C' })
  merchantId: string;

  @Column({ type: 'text' })
  type: EventType;

  @Column({ type: 'text', collation: 'C' })
  subject: string;

  @Column({ type: 'integer' })
  sequence: number;

  @Column({ type: 'text' })
  body: string;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
