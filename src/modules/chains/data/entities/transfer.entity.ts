import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { Family } from '../../../../config/config.types.js';
import { asBigInt, asNumber } from '../../../../database/columns.js';
import type { TransferState } from '../../chains.types.js';

@Entity('transfer')
@Unique('transfer_movement', ['network', 'txid', 'output', 'address', 'asset', 'amountAtoms'])
@Index('transfer_place', ['network', 'txid', 'output'], {
  unique: true,
  where: `state IN ('mempool', 'included')`,
})
@Index('transfer_subject', ['subject'])
@Index('transfer_unfinal', ['network', 'blockHeight'], { where: `NOT final AND state <> 'replaced'` })
export class TransferEntity {
  @PrimaryColumn('text', { collation: 'C' })
  id: string;

  @Column('text')
  network: string;

  @Column('text')
  txid: string;

  @Column('text')
  output: string;

  @Column('text')
  asset: string;

  @Column('text')
  family: Family;

  @Column('text')
  address: string;

  @Column({ type: 'text', collation: 'C' })
  subject: string;

  @Column('numeric', { name: 'amount_atoms', precision: 78, scale: 0, transformer: asBigInt })
  amountAtoms: bigint;

  @Column('text')
  state: TransferState;

  @Column('bigint', { name: 'block_height', nullable: true, transformer: asNumber })
  blockHeight: number | null;

  @Column('text', { name: 'block_hash', nullable: true })
  blockHash: string | null;

  @Column('timestamptz', { name: 'block_time', nullable: true })
  blockTime: Date | null;

  @Column('text', { nullable: true })
  sender: string | null;

  @Column('bigint', { nullable: true, transformer: asNumber })
  nonce: number | null;

  @Column('text', { array: true, nullable: true })
  spends: string[] | null;

  @Column('text', { name: 'conflict_block', nullable: true })
  conflictBlock: string | null;

  @Column('timestamptz', { name: 'first_seen_at', default: () => 'clock_timestamp()' })
  firstSeenAt: Date;

  /** By the trigger `transfer_observed_time`. */
  @Column('timestamptz', { name: 'observed_at' })
  observedAt: Date;

  @Column('timestamptz', { name: 'blind_since', nullable: true })
  blindSince: Date | null;

  @Column('jsonb', { default: () => "'[]'" })
  inherited: readonly { readonly atoms: string; readonly at: string; readonly seenAt: string }[];

  @Column('text', { name: 'replaced_by', nullable: true })
  replacedBy: string | null;

  @Column('boolean', { default: false })
  superseded: boolean;

  @Column('boolean', { default: false })
  own: boolean;

  @Column('boolean', { name: 'before_issue', default: false })
  beforeIssue: boolean;

  @Column('timestamptz', { name: 'missing_since', nullable: true })
  missingSince: Date | null;

  @Column('boolean', { default: false })
  final: boolean;
}
