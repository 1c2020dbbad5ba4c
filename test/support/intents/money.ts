import { DataSource, type EntityManager } from 'typeorm';
import { newId } from '../../../src/kernel/ids.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { choose } from '../checkout/choose.js';
import type { Service } from '../service/service.js';
import { ORDER } from './order.js';

export type Queries = Pick<EntityManager, 'query'>;

export interface Fact {
  /** SQL over the intent `i`; the time of the block. */
  readonly blockTime?: string;
  /** Share of the quoted amount in percent. */
  readonly percent?: number;
  /** Deep enough for anything, unless told otherwise. */
  readonly blockHeight?: number;
  readonly asset?: string;
  /** SQL: our last complete look before, where that was too long ago. */
  readonly blindSince?: string;
}

/** Facts and clocks by hand, for specs in which the instant matters and the chain does not. */
export class Money {
  private readonly dataSource: DataSource;
  private readonly intents: IntentsService;

  /** @param dataSource for facts that are recorded while the service is down */
  constructor(
    private readonly service: Service,
    dataSource: DataSource = service.app.get(DataSource),
  ) {
    this.dataSource = dataSource;
    this.intents = service.app.get(IntentsService);
  }

  /** An intent of CHF 10 for which USDC (12.5), or what else is named, has been picked. */
  async picked(merchantId: string, network = 'ethereum', asset = 'USDC'): Promise<string> {
    const { intent } = await this.intents.create(merchantId, ORDER);
    await choose(this.service, intent.id, network, asset);
    return intent.id;
  }

  /** Moves the window so that it ends this many milliseconds from now, by the database's clock. */
  async endWindowIn(id: string, ms: number, on: Queries = this.dataSource): Promise<void> {
    await on.query(
      `UPDATE intent SET created_at = ends - interval '15 minutes', expires_at = ends
       FROM (SELECT clock_timestamp() + make_interval(secs => $2) AS ends) AS w WHERE id = $1`,
      [id, ms / 1000],
    );
  }

  /** Writes a fact as a watcher would: a transfer in a block, and the note that facts changed. @returns its id */
  async record(id: string, fact: Fact = {}, on: Queries = this.dataSource): Promise<string> {
    const { blockTime = 'clock_timestamp()', percent = 100, blockHeight = 1, asset = null } = fact;
    const { blindSince = 'NULL::timestamptz' } = fact;
    this.service.leaveUncompared('facts by hand are on no chain');
    const transferId = newId('tr');
    await on.query(
      `WITH fact AS (
         INSERT INTO transfer (id, network, txid, output, asset, family, address, subject, amount_atoms, state,
                               block_height, block_hash, block_time, blind_since)
         SELECT $2, q.network, replace($2::text, '_', ''), 'native', coalesce($5, q.asset), q.family, q.watched_address, i.id,
                round(q.amount_atoms * $3 / 100), 'included', $4, '0xb', ${blockTime}, ${blindSince}
         FROM intent i JOIN quote q ON q.id = i.quote_id WHERE i.id = $1
       )
       INSERT INTO fact_change (subject) VALUES ($1)
       ON CONFLICT (subject) DO UPDATE SET version = pg_current_xact_id()::text::bigint`,
      [id, transferId, percent, blockHeight, asset],
    );
    return transferId;
  }

  /** Changes a transfer as a watcher would: `set` is SQL over its row. */
  async change(id: string, transferId: string, set: string): Promise<void> {
    this.service.leaveUncompared('facts by hand are on no chain');
    await this.dataSource.query(
      `WITH changed AS (UPDATE transfer SET ${set} WHERE id = $1)
       INSERT INTO fact_change (subject) VALUES ($2)
       ON CONFLICT (subject) DO UPDATE SET version = pg_current_xact_id()::text::bigint`,
      [transferId, id],
    );
  }

  /** The window ends and the fact is recorded in one instant: nobody can look in between. */
  async recordAtTheEnd(id: string, endsInMs: number, blockTime: string): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      await this.endWindowIn(id, endsInMs, tx);
      await this.record(id, { blockTime }, tx);
    });
  }

  async walkOf(id: string): Promise<string[]> {
    const rows = await this.dataSource.query<{ to_status: string }[]>(
      'SELECT to_status FROM transition WHERE intent_id = $1 ORDER BY sequence',
      [id],
    );
    return rows.map((row) => row.to_status);
  }

  async status(id: string): Promise<string> {
    return (await this.intents.show(id)).status;
  }
}

/** Before a service starts without a node: its cursor stands at a tip that stays fresh for a day. */
export async function standAtTip(
  databaseUrl: string,
  height: number,
  networks = ['ethereum'],
): Promise<void> {
  const direct = await new DataSource({ type: 'postgres', url: databaseUrl }).initialize();
  await direct.query(
    `INSERT INTO chain_cursor (network, height, hash, block_time, safe_height, finalized_height, node_height, synced_at)
     SELECT network, $1::bigint, '0xt', now(), greatest(0, $1::bigint - 4), greatest(0, $1::bigint - 8), $1::bigint, now() + interval '1 day' FROM unnest($2::text[]) AS network`,
    [height, networks],
  );
  await direct.destroy();
}
