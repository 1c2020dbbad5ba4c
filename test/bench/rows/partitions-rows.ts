import type { Pool } from 'pg';
import { productionCommand } from '../../support/service/command-line.js';
import { fillDelivered, fillIntents } from '../fill.js';
import type { Stage } from '../stage.js';
import type { Row } from '../table.js';
import { withWallet } from './api-rows.js';

const WHOLE = 'delivery_attempt_whole';
/** As the table is, with what a partition's rows must share in its key. */
const PARTITION = [
  `ALTER TABLE delivery_attempt RENAME TO ${WHOLE}`,
  `CREATE TABLE delivery_attempt (
     LIKE ${WHOLE} INCLUDING DEFAULTS INCLUDING IDENTITY INCLUDING GENERATED,
     PRIMARY KEY (id, started_at), FOREIGN KEY (delivery_id) REFERENCES delivery (id)
   ) PARTITION BY RANGE (started_at)`,
  'CREATE INDEX ON delivery_attempt (delivery_id)',
  `DO $$ BEGIN
     FOR n IN -4..1 LOOP
       EXECUTE format('CREATE TABLE delivery_attempt_%s PARTITION OF delivery_attempt FOR VALUES FROM (%L) TO (%L)',
                      n + 4, date_trunc('month', now()) + n * interval '1 month', date_trunc('month', now()) + (n + 1) * interval '1 month');
     END LOOP;
   END $$`,
  `INSERT INTO delivery_attempt OVERRIDING SYSTEM VALUE SELECT * FROM ${WHOLE}`,
  'VACUUM ANALYZE delivery_attempt',
];
/** As the service reads and writes them. */
const read = (table: string) =>
  `SELECT number, started_at, duration_ms, http_status, error, response FROM ${table} WHERE delivery_id = $1 ORDER BY id DESC LIMIT 20`;
const write = (table: string) =>
  `INSERT INTO ${table} (delivery_id, number, started_at, duration_ms, http_status)
   SELECT id, 1, clock_timestamp(), 40, 204 FROM unnest($1::bigint[]) AS id`;
const AT_ONCE = 100;

/**
 * The tries of deliveries in partitions by month, beside the one table that they are in: what that makes of reading, writing and
 * removing them. The service's statements need no change for it. No release does this: docs/scaling.md says when one would.
 */
export async function partitions(stage: Stage): Promise<Row[]> {
  const count = stage.quick ? 200 : 500_000;
  const { url: databaseUrl, pool } = await stage.database();
  const service = await stage.service(databaseUrl);
  const { merchantId, endpoints } = await service.shop('bench', ['http://localhost:9/hook']);
  await service.stop();
  await withWallet(pool, merchantId);
  await fillIntents(pool, merchantId, count);
  await fillDelivered(pool, endpoints[0]!.id);
  for (const statement of PARTITION) await pool.query(statement);
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM delivery ORDER BY random() LIMIT 5000');
  const ids = rows.map(({ id }) => id);
  const tables = ['delivery_attempt', WHOLE] as const;
  const measured = async (name: string, one: (table: string) => Promise<number>): Promise<Row> => {
    const taken: Record<string, number[]> = { [tables[0]]: [], [tables[1]]: [] };
    for (let i = 0; i < stage.repeats; i += 1)
      for (const table of tables) taken[table]!.push(await one(table));
    const ceiling = { what: 'in one table', values: taken[WHOLE]! };
    return { name: `${name}, by month`, unit: 'ms', values: taken[tables[0]]!, ceiling };
  };
  return [
    await measured('the tries of a delivery', (table) => readEach(pool, table, ids)),
    await measured('a thousand tries written', (table) => writeEach(pool, table, ids)),
    await removed(databaseUrl, pool),
  ];
}

/** @returns milliseconds for one */
async function readEach(pool: Pool, table: string, ids: readonly string[]): Promise<number> {
  const client = await pool.connect();
  try {
    const startedMs = performance.now();
    for (const id of ids) await client.query({ name: `read-${table}`, text: read(table), values: [id] });
    return (performance.now() - startedMs) / ids.length;
  } finally {
    client.release();
  }
}

/** @returns milliseconds for a thousand */
async function writeEach(pool: Pool, table: string, ids: readonly string[]): Promise<number> {
  const startedMs = performance.now();
  for (let i = 0; i < ids.length; i += AT_ONCE) await pool.query(write(table), [ids.slice(i, i + AT_ONCE)]);
  return ((performance.now() - startedMs) * 1_000) / ids.length;
}

/** All tries before the last month: as retention removes them, without the start of its command, and as their partitions go. */
async function removed(databaseUrl: string, pool: Pool): Promise<Row> {
  const timed = async (what: () => Promise<unknown>) => {
    const startedMs = performance.now();
    await what();
    return performance.now() - startedMs;
  };
  const retention = (days: number) => {
    const env = { RETENTION_ATTEMPT_DAYS: String(days), RETENTION_DELIVERY_DAYS: '3650' };
    return timed(() => productionCommand({ databaseUrl, env }, 'retention'));
  };
  const { rows } = await pool.query<{ days: number }>(
    `SELECT extract(day FROM now() - (date_trunc('month', now()) - interval '1 month'))::int + 1 AS days`,
  );
  const partitioned = [0, 1, 2].map((n) => `delivery_attempt_${n}`).join(', ');
  const dropped = await timed(() => pool.query(`DROP TABLE ${partitioned}`));
  await pool.query('DROP TABLE delivery_attempt');
  await pool.query(`ALTER TABLE ${WHOLE} RENAME TO delivery_attempt`);
  const idle = await retention(3_650);
  const deleted = (await retention(rows[0]!.days)) - idle;
  const ceiling = { what: 'retention, in one table', values: [deleted] };
  return { name: 'older months removed, by month', unit: 'ms', values: [dropped], ceiling };
}
