import { ChainRepairService } from '../../../src/modules/chains/repair/chain-repair.service.js';
import { ChainTest, MERCHANT } from '../../chain/chains-fixture.js';
import { by } from '../../support/intents/by.js';

/** What an address has passed (ADR 43), where blocks are given up: money that comes in the new ones is a payment. */
let test: ChainTest;

beforeEach(async () => {
  test = await ChainTest.start();
});
afterEach(() => test?.stop());

it('an address that is being issued while blocks are given up has not passed them', async () => {
  const { testClient } = test.anvil;
  await test.mine(5);
  await test.catchUp();
  const snapshot = await testClient.snapshot();
  await test.mine(6);
  await test.catchUp();
  const wanted = {
    merchantId: MERCHANT,
    network: 'ethereum',
    asset: 'ETH',
    subject: 'pi_open',
    confirmationDepth: 1,
  };
  const { dataSource, addresses } = test.chains;
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    const { address } = await addresses.issue(runner.manager, wanted);
    await testClient.revert({ id: snapshot });
    await testClient.increaseTime({ seconds: 50 });
    await test.mine(1);
    const caughtUp = test.catchUp();
    // Until then the watcher waits; the cursor can move on meanwhile, and only cannot go back.
    const [waiting] = await eventuallyWaiting();
    expect(waiting).toBeDefined();
    await runner.commitTransaction();
    await caughtUp;
    await test.send(address as `0x${string}`, '0.1');
    await test.mine(1);
    await test.catchUp();
    expect(await test.transfers('pi_open')).toMatchObject([{ state: 'included', beforeIssue: false }]);
  } finally {
    await runner.release();
  }
});

it('no address has passed what an operator gives up, however little is remembered of it', async () => {
  const { testClient } = test.anvil;
  await test.mine(10);
  await test.catchUp();
  const snapshot = await testClient.snapshot();
  const start = Number(await testClient.getBlockNumber());
  await test.mine(4);
  await test.catchUp();
  const raw = await test.rawTransaction(await test.send(await test.issue('pi_late'), '0.2'));
  await test.mine(30);
  await test.catchUp();
  const { dataSource } = test.chains;
  await dataSource.query(`UPDATE address SET created_at = created_at - interval '1 hour'`);
  // Of all that was read one block far below is remembered, and the newest ones.
  await dataSource.query('DELETE FROM chain_block WHERE height BETWEEN $1 AND $2', [start - 3, start + 20]);
  await testClient.revert({ id: snapshot });
  await testClient.sendRawTransaction({ serializedTransaction: raw as `0x${string}` });
  await testClient.increaseTime({ seconds: 77 });
  await test.mine(40);
  await dataSource.query('UPDATE chain_block SET hash = $1 WHERE height < $2', ['0xother', start]);
  await expect(test.catchUp()).rejects.toThrow('shares none of the');
  await test.chains.app
    .get(ChainRepairService, { strict: false })
    .rewind('ethereum', start, by('the operator'));
  await test.catchUp();
  expect(await test.transfers('pi_late')).toMatchObject([{ state: 'included', beforeIssue: false }]);
});

/** A statement of the watcher's that waits for a lock. */
async function eventuallyWaiting(): Promise<unknown[]> {
  for (;;) {
    const waiting = await test.chains.dataSource.query<unknown[]>(
      `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (waiting.length > 0) return waiting;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
