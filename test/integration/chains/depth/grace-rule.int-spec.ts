import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../../src/database/data-source.js';
import { type ChainTip, GRACE_MS, type Transfer } from '../../../../src/modules/chains/chains.types.js';
import { missingForLessThan } from '../../../../src/modules/chains/data/movements.sql.js';
import { mayBeThere } from '../../../../src/modules/intents/domain/transfers.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database/database.js';

const SYNCED = new Date('2026-01-02T03:04:05.678Z');
const EPOCH = new Date(0);

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await new DataSource(dataSourceOptions(database.url, 2)).initialize();
  await dataSource.query(
    `INSERT INTO chain_cursor (network, height, hash, block_time, safe_height, finalized_height, node_height, synced_at)
     SELECT network, 20, network, now(), 15, 10, 20, synced_at
       FROM unnest($1::text[], $2::timestamptz[]) AS c (network, synced_at)`,
    [
      ['synced', 'never-synced'],
      [SYNCED, EPOCH],
    ],
  );
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const TIPS: Readonly<Record<string, Date | null>> = { synced: SYNCED, 'never-synced': EPOCH, unknown: null };

it('the database and the application agree on what is missing for longer than the grace time', async () => {
  const seen = new Set<boolean>();
  for (const [network, syncedAt] of Object.entries(TIPS)) {
    const tip = syncedAt === null ? undefined : ({ syncedAt } as unknown as ChainTip);
    for (const family of ['evm', 'bitcoin', 'litecoin'] as const) {
      for (const forMs of missingTimes(GRACE_MS[family])) {
        const missingSince = forMs === null ? null : new Date((syncedAt ?? SYNCED).getTime() - forMs);
        const [{ live }] = await dataSource.query<[{ live: boolean | null }]>(
          `SELECT ${missingForLessThan('make_interval(secs => $3)')} AS live
             FROM (SELECT $2::timestamptz AS missing_since) t`,
          [network, missingSince, GRACE_MS[family] / 1_000],
        );
        const transfer = { own: false, state: 'orphaned', missingSince } as unknown as Transfer;
        expect({ network, family, forMs, live }).toEqual({
          network,
          family,
          forMs,
          live: mayBeThere(transfer, family, tip),
        });
        seen.add(live === true);
      }
    }
  }
  expect([...seen].sort()).toEqual([false, true]);
});

/** Around each end of the grace time, to the millisecond; negative: it went missing after our last look. */
function missingTimes(graceMs: number): readonly (number | null)[] {
  const around = [0, graceMs].flatMap((end) => [-1_000, -1, 0, 1, 1_000].map((off) => end + off));
  return [null, ...around, graceMs / 2, graceMs * 100, -graceMs];
}
