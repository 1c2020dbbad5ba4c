import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { rowReader, type Stored } from '../../../database/columns.js';
import { anyOf, anyValue, type On, run, statement } from '../../../database/statement.js';
import { inPieces, only } from '../../../kernel/lookups.js';
import type { CrossCheck, FactBacklog, FactChange, Facts } from '../chains.types.js';
import type { Coverage } from '../domain/network-state.js';
import type { NetworkHealth } from '../health.types.js';
import { MOST_WATCHED } from './balances/balances.repository.js';
import { IS_CROWDED } from './balances/balances.sql.js';
import { type FactRow, factsSql, toFacts } from './facts.shared.sql.js';
import { MOST_GIVEN } from './fenced.statement.js';

const FACTS = statement('chains-facts', `${factsSql(anyOf('$1'))} ORDER BY t.observed_at, t.id`);
/** Added up where they are: of a payment that got dust, what has not changed is not read each second. */
const REVISIONS = statement(
  'chains-fact-revisions',
  `SELECT subject, string_agg(concat_ws(' ', network, height, transfers, sum), ', ' ORDER BY network) AS revision FROM (
     SELECT t.subject, t.network, c.height, count(*) AS transfers,
            sum(hashtextextended(concat_ws(' ', t.id, t.state, t.block_height), 0)) AS sum
       FROM transfer t LEFT JOIN chain_cursor c ON c.network = t.network
      WHERE t.subject = ${anyOf('$1')} AND t.state <> 'replaced'
      GROUP BY t.subject, t.network, c.height) AS moving
    GROUP BY subject`,
);
/** The longest waiting first. */
const CHANGES = statement(
  'chains-changes',
  `SELECT subject, version FROM fact_change ORDER BY changed_at, subject LIMIT ${anyValue('$1', 'bigint')}`,
);
/** No row where another change has come meanwhile: then what rested until now is forgotten all the same, as it is judged anew. */
const ACKNOWLEDGE = statement(
  'chains-acknowledge',
  `WITH anew AS (DELETE FROM fact_rest WHERE subject = $1)
   DELETE FROM fact_change WHERE subject = $1 AND version = $2 RETURNING subject`,
);
const IS_CHANGED = statement('chains-is-changed', 'SELECT FROM fact_change WHERE subject = $1');
const REST = statement(
  'chains-rest',
  'INSERT INTO fact_rest (subject, transfer_id) SELECT $1, unnest($2::text[])',
);
const STANDING = `
  c.height, c.block_time AS "blockTime", c.node_height AS "nodeHeight", c.synced_at AS "syncedAt",
  c.cross_check AS "crossCheck", c.coin_unwatched AS "coinUnwatched",
  (extract(epoch FROM clock_timestamp() - c.synced_at) * 1000)::float8 AS "syncedAgoMs",
  c.coin_blind_from IS NOT NULL AS "isCoinBlind", ${IS_CROWDED} AS "isCoinCrowded", f.reason,
  coalesce(f.halted, false) AS "isHalted",
  CASE WHEN c.genesis_hash IS NOT NULL
       THEN (SELECT coalesce(json_object_agg(a.asset_key, a.covered_height), '{}')
               FROM cursor_asset a WHERE a.network = c.network) END AS covered`;
const STANDINGS = statement(
  'chains-standings',
  `SELECT network, ${STANDING} FROM chain_cursor c FULL JOIN watch_failure f USING (network)`,
);
/** The same with what costs more, and only operators look at. */
const HEALTH = statement(
  'chains-health',
  `SELECT network, ${STANDING},
          (SELECT extract(epoch FROM clock_timestamp() - b.recorded_at)::float8 FROM chain_block b
            WHERE b.network = c.network AND b.height > c.finalized_height AND b.recorded_at > 'epoch'
            ORDER BY b.height LIMIT 1) AS "unfinalForS",
          CASE WHEN c.given_up_at > clock_timestamp() - interval '7 days' THEN c.given_up_at END AS "givenUpAt",
          c.given_up_height AS "givenUpHeight",
          coalesce(u.wallets, 0) AS "unsearchedWallets"
     FROM chain_cursor c FULL JOIN watch_failure f USING (network)
     FULL JOIN (SELECT w.network, count(*)::int AS wallets
                  FROM extended_key k JOIN wallet w ON w.extended_key_id = k.id AND w.network = ANY (k.unsearched)
                 WHERE k.unsearched <> '{}' GROUP BY w.network) u USING (network)`,
);
const BACKLOG = statement(
  'chains-fact-backlog',
  `SELECT count(*)::int AS subjects,
          coalesce(extract(epoch FROM clock_timestamp() - min(changed_at)), 0)::float8 AS "oldestAgeS"
     FROM fact_change`,
);
const SYNCED_SINCE = statement(
  'chains-synced-since',
  'SELECT network FROM chain_cursor WHERE synced_at > $1',
);

const toChange = rowReader<FactChange>({ version: true });

type StandingRow = Omit<NetworkStanding, 'height' | 'nodeHeight' | 'covered'> &
  Omit<KnownNetwork, 'standing'> & {
    readonly network: string;
    /** `null` for a network that never had a cursor. */
    readonly height: string | null;
    readonly nodeHeight: string;
    readonly covered: Readonly<Record<string, number>> | null;
  };

type HealthRow = StandingRow & {
  readonly unsearchedWallets: number;
  readonly unfinalForS: number | null;
  readonly givenUpAt: Date | null;
  readonly givenUpHeight: string | null;
};

export interface NetworkStanding extends Coverage {
  readonly nodeHeight: number;
  readonly blockTime: Date;
  readonly syncedAt: Date;
  readonly syncedAgoMs: number;
  readonly crossCheck: CrossCheck | null;
  readonly coinUnwatched: number;
}

/** What the database knows of a network: where its watcher stands, and why it cannot go on. */
export interface KnownNetwork {
  readonly standing: NetworkStanding | null;
  readonly reason: string | null;
  readonly isHalted: boolean;
}

/** And what operators look at besides. */
export interface KnownHealth
  extends KnownNetwork, Pick<NetworkHealth, 'unsearchedWallets' | 'unfinalForS' | 'finalGivenUp'> {}

/** What other modules read of the chains. */
@Injectable()
export class FactsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** An entry for every subject that was asked for, also for those that never saw money. */
  async factsOf(on: On, subjects: readonly string[]): Promise<ReadonlyMap<string, Facts>> {
    const of = new Map(subjects.map((subject) => [subject, new Array<FactRow>()]));
    for (const row of await run<FactRow>(on, FACTS, [subjects])) of.get(row.subject)?.push(row);
    return new Map([...of].map(([subject, rows]) => [subject, toFacts(rows)]));
  }

  /** Short texts that change when places or depths of a subject's transfers do; none of those that never saw money. */
  async revisions(subjects: readonly string[]): Promise<ReadonlyMap<string, string>> {
    type Row = { subject: string; revision: string };
    const rows = await run<Row>(this.dataSource, REVISIONS, [subjects]);
    return new Map(rows.map(({ subject, revision }) => [subject, revision]));
  }

  async changes(limit: number): Promise<FactChange[]> {
    const rows = await run<Stored<FactChange>>(this.dataSource, CHANGES, [limit]);
    return rows.map(toChange);
  }

  /** Of whatever version. */
  async isChanged(tx: EntityManager, subject: string): Promise<boolean> {
    return (await run(tx, IS_CHANGED, [subject])).length > 0;
  }

  async backlog(): Promise<FactBacklog> {
    return only(await run<FactBacklog>(this.dataSource, BACKLOG, []));
  }

  async acknowledge(
    tx: EntityManager,
    { subject, version }: FactChange,
    resting: readonly string[],
  ): Promise<void> {
    const acknowledged = await run(tx, ACKNOWLEDGE, [subject, version.toString()]);
    if (acknowledged.length === 0) return;
    for (const some of inPieces(resting, MOST_GIVEN)) await run(tx, REST, [subject, some]);
  }

  /** To the back of the line: it could not be decided, and the others must not wait for it. */
  async postpone({ subject }: FactChange): Promise<void> {
    await this.dataSource.query('UPDATE fact_change SET changed_at = clock_timestamp() WHERE subject = $1', [
      subject,
    ]);
  }

  /** As a change of facts, but to the back of the line; one that is acknowledged in the same transaction stays. */
  async lookAgain(tx: EntityManager, subject: string): Promise<void> {
    await tx.query(
      `INSERT INTO fact_change (subject) VALUES ($1)
       ON CONFLICT (subject) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at`,
      [subject],
    );
  }

  /** By network. */
  async standings(on: On): Promise<ReadonlyMap<string, KnownNetwork>> {
    const rows = await run<StandingRow>(on, STANDINGS, [MOST_WATCHED]);
    return new Map(rows.map((row) => [row.network, toKnown(row)]));
  }

  /** By network. */
  async health(on: On): Promise<ReadonlyMap<string, KnownHealth>> {
    const rows = await run<HealthRow>(on, HEALTH, [MOST_WATCHED]);
    return new Map(
      rows.map((row) => {
        const { network, unsearchedWallets, unfinalForS, givenUpAt, givenUpHeight } = row;
        const finalGivenUp = givenUpAt && { at: givenUpAt, fromHeight: Number(givenUpHeight) };
        return [network, { ...toKnown(row), unsearchedWallets, unfinalForS, finalGivenUp }];
      }),
    );
  }

  /** Of the block that the watcher has passed at a height; `null` where it keeps none. */
  async passedHash(network: string, height: number): Promise<string | null> {
    const sql = 'SELECT hash FROM chain_block WHERE network = $1 AND height = $2';
    const [found] = await this.dataSource.query<{ hash: string }[]>(sql, [network, height]);
    return found?.hash ?? null;
  }

  /** Networks that some instance saw at a fresh tip after `moment`. */
  async syncedSince(moment: Date): Promise<ReadonlySet<string>> {
    const rows = await run<{ network: string }>(this.dataSource, SYNCED_SINCE, [moment]);
    return new Set(rows.map((row) => row.network));
  }
}

function toKnown(row: StandingRow): KnownNetwork {
  return { standing: toStanding(row), reason: row.reason, isHalted: row.isHalted };
}

function toStanding(row: StandingRow): NetworkStanding | null {
  if (row.height === null) return null;
  return {
    height: Number(row.height),
    nodeHeight: Number(row.nodeHeight),
    blockTime: row.blockTime,
    syncedAt: row.syncedAt,
    syncedAgoMs: row.syncedAgoMs,
    crossCheck: row.crossCheck,
    coinUnwatched: row.coinUnwatched,
    isCoinBlind: row.isCoinBlind,
    isCoinCrowded: row.isCoinCrowded,
    covered: row.covered && new Map(Object.entries(row.covered)),
  };
}
