import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { run, statement } from '../../../database/statement.js';
import type {
  ChainTip,
  CrossCheck,
  FactBacklog,
  FactChange,
  Facts,
  Transfer,
  TransferState,
} from '../chains.types.js';
import { FactChangeEntity } from './fact-change.entity.js';

const FACTS = statement(
  'chains_facts',
  `SELECT t.id, t.network, t.txid, t.output, t.asset, t.address, t.subject, t.amount_atoms, t.state, t.block_height,
          t.block_hash, t.block_time, t.first_seen_at, t.missing_since,
          c.height, c.safe_height, c.finalized_height, c.synced_at
     FROM transfer t LEFT JOIN chain_cursor c ON c.network = t.network
    WHERE t.subject = ANY ($1)
    ORDER BY t.first_seen_at, t.id`,
);
const ACKNOWLEDGE = statement(
  'chains_acknowledge',
  'DELETE FROM fact_change WHERE subject = $1 AND version = $2',
);
const STANDINGS = statement(
  'chains_standings',
  `SELECT network, height, block_time, node_height, synced_at, cross_check,
          (extract(epoch FROM clock_timestamp() - synced_at) * 1000)::float8 AS synced_ago_ms
     FROM chain_cursor`,
);
const BACKLOG = statement(
  'chains_fact_backlog',
  `SELECT count(*)::int AS subjects,
          coalesce(extract(epoch FROM clock_timestamp() - min(changed_at)), 0)::float8 AS "oldestAgeS"
     FROM fact_change`,
);
const SYNCED_SINCE = statement(
  'chains_synced_since',
  'SELECT network FROM chain_cursor WHERE synced_at > $1',
);

interface FactRow {
  id: string;
  network: string;
  txid: string;
  output: string;
  asset: string;
  address: string;
  subject: string;
  amount_atoms: string;
  state: TransferState;
  block_height: string | null;
  block_hash: string | null;
  block_time: Date | null;
  first_seen_at: Date;
  missing_since: Date | null;
  height: string | null;
  safe_height: string | null;
  finalized_height: string | null;
  synced_at: Date | null;
}

interface StandingRow {
  network: string;
  height: string;
  block_time: Date;
  node_height: string;
  synced_at: Date;
  synced_ago_ms: number;
  cross_check: CrossCheck | null;
}

export interface NetworkStanding {
  readonly network: string;
  readonly height: number;
  readonly nodeHeight: number;
  readonly blockTime: Date;
  readonly syncedAt: Date;
  readonly syncedAgoMs: number;
  readonly crossCheck: CrossCheck | null;
}

/** What other modules read of the chains. */
@Injectable()
export class FactsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** An entry for every subject that was asked for, also for those that never saw money. */
  async factsOf(
    on: DataSource | EntityManager,
    subjects: readonly string[],
  ): Promise<ReadonlyMap<string, Facts>> {
    const facts = new Map(
      subjects.map((subject) => [
        subject,
        { transfers: [] as Transfer[], tips: new Map<string, ChainTip>() },
      ]),
    );
    for (const row of await run<FactRow>(on, FACTS, [subjects])) {
      const own = facts.get(row.subject);
      const tip = toTip(row);
      own?.transfers.push(toTransfer(row));
      if (tip) own?.tips.set(row.network, tip);
    }
    return facts;
  }

  async changes(limit: number): Promise<FactChange[]> {
    return this.dataSource.getRepository(FactChangeEntity).find({
      select: { subject: true, version: true },
      order: { changedAt: 'ASC', subject: 'ASC' },
      take: limit,
    });
  }

  async backlog(): Promise<FactBacklog> {
    const [row] = await run<FactBacklog>(this.dataSource, BACKLOG, []);
    return row!;
  }

  async acknowledge(tx: EntityManager, change: FactChange): Promise<void> {
    await run(tx, ACKNOWLEDGE, [change.subject, change.version.toString()]);
  }

  /** To the back of the line: it could not be decided, and the others must not wait for it. */
  async postpone({ subject }: FactChange): Promise<void> {
    await this.dataSource.query('UPDATE fact_change SET changed_at = clock_timestamp() WHERE subject = $1', [
      subject,
    ]);
  }

  async standings(): Promise<NetworkStanding[]> {
    const rows = await run<StandingRow>(this.dataSource, STANDINGS, []);
    return rows.map((row) => ({
      network: row.network,
      height: Number(row.height),
      nodeHeight: Number(row.node_height),
      blockTime: row.block_time,
      syncedAt: row.synced_at,
      syncedAgoMs: row.synced_ago_ms,
      crossCheck: row.cross_check,
    }));
  }

  /** Networks that some instance saw at a fresh tip after `moment`. */
  async syncedSince(moment: Date): Promise<ReadonlySet<string>> {
    const rows = await run<{ network: string }>(this.dataSource, SYNCED_SINCE, [moment]);
    return new Set(rows.map((row) => row.network));
  }
}

function toTransfer(row: FactRow): Transfer {
  return {
    id: row.id,
    network: row.network,
    txid: row.txid,
    output: row.output,
    asset: row.asset,
    address: row.address,
    amountAtoms: BigInt(row.amount_atoms),
    state: row.state,
    blockHeight: row.block_height === null ? null : Number(row.block_height),
    blockHash: row.block_hash,
    blockTime: row.block_time,
    firstSeenAt: row.first_seen_at,
    missingSince: row.missing_since,
  };
}

function toTip(row: FactRow): ChainTip | null {
  if (row.height === null || row.synced_at === null) return null;
  return {
    network: row.network,
    height: Number(row.height),
    safeHeight: Number(row.safe_height),
    finalizedHeight: Number(row.finalized_height),
    syncedAt: row.synced_at,
  };
}
