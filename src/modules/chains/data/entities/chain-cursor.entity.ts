import { Column, Entity, PrimaryColumn } from 'typeorm';
import { asNumber } from '../../../../database/columns.js';
import type { CrossCheck } from '../../chains.types.js';

@Entity('chain_cursor')
export class ChainCursorEntity {
  @PrimaryColumn('text')
  network: string;

  @Column('bigint', { transformer: asNumber })
  height: number;

  @Column('text')
  hash: string;

  @Column('timestamptz', { name: 'block_time' })
  blockTime: Date;

  @Column('bigint', { name: 'safe_height', transformer: asNumber, default: -1 })
  safeHeight: number;

  @Column('bigint', { name: 'finalized_height', transformer: asNumber, default: -1 })
  finalizedHeight: number;

  @Column('bigint', { name: 'node_height', transformer: asNumber })
  nodeHeight: number;

  @Column('timestamptz', { name: 'synced_at' })
  syncedAt: Date;

  @Column('text', { name: 'cross_check', nullable: true })
  crossCheck: CrossCheck | null;

  @Column('bigint', { name: 'chain_id', nullable: true, transformer: asNumber })
  chainId: number | null;

  @Column('text', { name: 'genesis_hash', nullable: true })
  genesisHash: string | null;

  @Column('bigint', { name: 'coin_blind_from', nullable: true, transformer: asNumber })
  coinBlindFrom: number | null;

  @Column('text', { name: 'known_tags', array: true, default: [] })
  knownTags: string[];

  @Column('integer', { name: 'coin_unwatched', default: 0 })
  coinUnwatched: number;
}
