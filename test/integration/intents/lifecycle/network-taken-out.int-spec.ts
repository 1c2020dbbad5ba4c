import { DataSource } from 'typeorm';
import type { Address } from 'viem';
import { sandboxPolygon } from '../../../../src/config/networks.js';
import { ANYBODYS } from '../../../../src/database/by.js';
import { IntentRepairService } from '../../../../src/modules/intents/lifecycle/intent-repair.service.js';
import { BUYER, ERC20 } from '../../../chain/chains-fixture.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database/database.js';
import { by } from '../../../support/intents/by.js';
import { sweepAllOverdue } from '../../../support/intents/decided.js';
import { Money } from '../../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../../support/nodes/anvil.js';
import { eventually } from '../../../support/servers/receiver.js';
import { Service } from '../../../support/service/service.js';

const DAY_MS = 24 * 3_600_000;
const FAILURES_BEFORE_ALERT = 3;

let database: TestDatabase;
let ethereum: TestAnvil;
let polygon: TestAnvil;
beforeAll(async () => {
  database = await createTestDatabase();
  [ethereum, polygon] = await Promise.all([
    startTestAnvil(),
    startTestAnvil({ blockTimeS: 1, chainId: 31_338 }),
  ]);
  await ethereum.testClient.mine({ blocks: 3 });
});
afterAll(async () => {
  await Promise.all([ethereum?.stop(), polygon?.stop()]);
  await database?.drop();
});

const networks = () => [sandboxPolygon(polygon.rpcUrl, { USDC: polygon.tokens.USDC.address })];

/** An intent that has been confirmed on Ethereum and waits there for more blocks, and whose window ended so long ago. */
async function confirmed(service: Service, endedMs: number): Promise<string> {
  const money = new Money(service);
  const { merchantId } = await service.shop();
  const id = await money.picked(merchantId);
  const query = <Row>(sql: string) => service.app.get(DataSource).query<Row[]>(sql, [id]);
  const [quote] = await query<{ address: Address; atoms: string }>(
    'SELECT watched_address AS address, amount_atoms AS atoms FROM quote WHERE intent_id = $1',
  );
  await ethereum.testClient.writeContract({
    account: BUYER,
    address: ethereum.tokens.USDC.address,
    abi: ERC20,
    functionName: 'transfer',
    args: [quote!.address, BigInt(quote!.atoms)],
    gas: 200_000n,
  });
  await ethereum.testClient.mine({ blocks: 1 });
  await eventually(
    () => money.status(id),
    (status) => status === 'confirmed',
  );
  await money.endWindowIn(id, -endedMs);
  const early = `(SELECT expires_at - interval '8 minutes' FROM intent WHERE id = $1)`;
  // A block's time does not change (migration 0106): it is another block for the moment.
  await query(
    `UPDATE transfer SET first_seen_at = ${early}, block_time = ${early}, block_hash = block_hash || 'b' WHERE subject = $1`,
  );
  await query(`UPDATE transfer SET block_hash = left(block_hash, -1) WHERE subject = $1`);
  await query(`UPDATE intent SET completed_at = expires_at - interval '5 minutes' WHERE id = $1`);
  return id;
}

it('is said of a payment that waits for it, which goes on when it is back, or is closed', async () => {
  const before = await Service.start({ databaseUrl: database.url, chain: ethereum, networks: networks() });
  const [closed, kept] = [await confirmed(before, 2 * DAY_MS), await confirmed(before, 2 * DAY_MS)];
  before.leaveUncompared('times are moved by hand');
  await before.stop();

  const without = await Service.start({ databaseUrl: database.url, networks: networks() });
  without.leaveUncompared('times are moved by hand');
  try {
    const repair = without.app.get(IntentRepairService);
    expect((await repair.show(closed)).undecided).toBeNull();
    // Until then another instance could be the one that watches it.
    await without.app
      .get(DataSource)
      .query(
        `UPDATE chain_cursor SET synced_at = synced_at - interval '1 minute' WHERE network = 'ethereum'`,
      );
    for (let i = 0; i < FAILURES_BEFORE_ALERT; i += 1) await sweepAllOverdue(without);
    const message = 'it waits for ethereum, a network that is not in the configuration any more';
    for (const id of [closed, kept])
      expect(await repair.show(id)).toMatchObject({ status: 'confirmed', undecided: { message } });
    await expect(repair.decide({ whose: ANYBODYS, id: kept, by: by('ann') })).rejects.toThrow(message);
    await expect(
      repair.close({ whose: ANYBODYS, id: closed, by: by('ann') }, 'expired', 'gone'),
    ).rejects.toThrow('closed as failed alone');
    expect(
      await repair.close({ whose: ANYBODYS, id: closed, by: by('ann') }, 'failed', 'gone'),
    ).toMatchObject({
      status: 'failed',
    });
  } finally {
    await without.stop();
  }

  const back = await Service.start({ databaseUrl: database.url, chain: ethereum, networks: networks() });
  back.leaveUncompared('times are moved by hand');
  try {
    await ethereum.testClient.mine({ blocks: 20 });
    await eventually(
      () => new Money(back).status(kept),
      (status) => status === 'settled',
    );
  } finally {
    await back.stop();
  }
});
