import { Column, Entity, PrimaryColumn, Unique, type ValueTransformer } from 'typeorm';
import type { Depth, DepthTiers, Family } from '../../../config/config.types.js';
import { asBigInt } from '../../../database/columns.js';
import type { RateSource } from '../../rates/rates.types.js';
import type { Quote } from '../domain/model.js';
import { toDepth, toDepths } from './quote-columns.sql.js';

const asDepth: ValueTransformer = { to: (depth: Depth) => String(depth), from: toDepth };

const asTiers: ValueTransformer = {
  to: (tiers: DepthTiers | null) => tiers?.map(String) ?? null,
  from: toDepths,
};

@Entity('quote')
@Unique('quote_family_watched_address_key', ['family', 'watchedAddress'])
@Unique('quote_intent_id_network_asset_key', ['intentId', 'network', 'asset'])
@Unique('quote_of_intent', ['id', 'intentId'])
export class QuoteEntity implements Quote {
  @PrimaryColumn('text', { collation: 'C' })
  id!: string;

  @Column({ type: 'text', name: 'intent_id', collation: 'C' })
  intentId!: string;

  @Column('text')
  network!: string;

  @Column('text')
  asset!: string;

  @Column('integer')
  decimals!: number;

  @Column('numeric', { name: 'amount_atoms', precision: 78, scale: 0, transformer: asBigInt })
  amountAtoms!: bigint;

  @Column('text')
  family!: Family;

  @Column('text')
  address!: string;

  @Column('text', { name: 'watched_address' })
  watchedAddress!: string;

  @Column('text')
  price!: string;

  @Column('jsonb', { name: 'rate_sources' })
  rateSources!: RateSource[];

  @Column('timestamptz', { name: 'rate_at' })
  rateAt!: Date;

  @Column('integer', { name: 'spread_bps' })
  spreadBps!: number;

  @Column('integer', { name: 'tolerance_bps' })
  toleranceBps!: number;

  @Column('text', { name: 'confirmation_depth', transformer: asDepth })
  confirmationDepth!: Depth;

  @Column('text', { name: 'settlement_depth', transformer: asDepth })
  settlementDepth!: Depth;

  @Column('text', { name: 'settlement_depths', array: true, nullable: true, transformer: asTiers })
  settlementDepths!: DepthTiers | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'clock_timestamp()' })
  createdAt!: Date;
}
