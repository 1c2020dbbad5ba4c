import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../../src/database/data-source.js';
import type { ChainTip, Transfer } from '../../../../src/modules/chains/chains.types.js';
import { hasDepth } from '../../../../src/modules/intents/domain/transfers.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database/database.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await new DataSource(dataSourceOptions(database.url, 2)).initialize();
  await dataSource.query(
    `INSERT INTO chain_cursor (network, height, hash, block_time, safe_height, finalized_height, node_height, synced_at)
     VALUES ('ethereum', 20, '0x20', now(), 15, 10, 20, now())`,
  );
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

it('the database and the application agree on what is deep enough', async () => {
  const tip = { height: 20, safeHeight: 15, finalizedHeight: 10 } as unknown as ChainTip;
  for (const depth of [1, 2, 6, 12, 20, 21, 'safe', 'finalized'] as const) {
    for (let blockHeight = 0; blockHeight <= 21; blockHeight += 1) {
      const [{ deep }] = await dataSource.query<[{ deep: boolean }]>(
        `SELECT has_depth('ethereum', $1, $2) AS deep`,
        [blockHeight, String(depth)],
      );
      const transfer = { state: 'included', blockHeight } as unknown as Transfer;
      expect({ depth, blockHeight, deep }).toEqual({
        depth,
        blockHeight,
        deep: hasDepth(transfer, depth, tip),
      });
    }
  }
  const [{ deep }] = await dataSource.query<[{ deep: boolean }]>(`SELECT has_depth('base', 1, '1') AS deep`);
  expect(deep).toBe(hasDepth({ state: 'included', blockHeight: 1 } as unknown as Transfer, 1, undefined));
});
