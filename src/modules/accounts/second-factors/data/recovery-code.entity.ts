import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('recovery_code')
export class RecoveryCodeEntity {
  @PrimaryColumn('text', { name: 'person_id', collation: 'C' })
  personId!: string;

  @PrimaryColumn('bytea')
  hash!: Buffer;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;
}
