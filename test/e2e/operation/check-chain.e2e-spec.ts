import { AsyncResource } from 'node:async_hooks';
import { DataSource } from 'typeorm';
import { type Address, erc20Abi } from 'viem';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import { ReconciliationService } from '../../../src/modules/chains/reconciliation/reconciliation.service.js';
import { ChainAlerts } from '../../../src/modules/intents/reporting/chain-alerts.js';
import { anvilAccount } from '../../../src/modules/sandbox/local/evm/tokens.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { presentTerm } from '../../chain/term.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { Money } from '../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { eventually } from '../../support/servers/receiver.js';
import { commandProcess } from '../../support/service/command-line.js';
import { OPERATOR_LOOKS, Service } from '../../support/service/service.js';

const NETWORK = 'ethereum';

let database: TestDatabase;
let anvil: TestAnvil;
let service: Service;
let money: Money;
let paid: { id: string; address: Address; atoms: string };

beforeAll(async () => {
  [database, anvil] = await Promise.all([createTestDatabase(), startTestAnvil()]);
  await anvil.testClient.mine({ blocks: 10 });
  const env = { RECONCILE_REQUESTS_PER_SECOND: '1000' };
  service = await Service.start({ databaseUrl: database.url, chain: anvil, stillJobs: OPERATOR_LOOKS, env });
  // The comparison is made by hand here.
  await query(
    `INSERT INTO reconciliation (network, term, leased_until)
     VALUES ($1, gen_random_uuid(), clock_timestamp() + interval '1 hour')
     ON CONFLICT (network) DO UPDATE SET term = excluded.term, leased_until = excluded.leased_until`,
    [NETWORK],
  );
  money = new Money(service);
  const { merchantId } = await service.shop();
  const id = await money.picked(merchantId);
  const [quote] = await query<Omit<typeof paid, 'id'>>(
    'SELECT watched_address AS address, amount_atoms AS atoms FROM quote WHERE intent_id = $1',
    [id],
  );
  paid = { id, ...quote! };
  await whileNobodyWatches(payPastTheWatcher);
  await caughtUp();
});
afterAll(async () => {
  await service?.stop();
  await anvil?.stop();
  await database?.drop();
});

const query = <T>(sql: string, values: unknown[] = []) => service.app.get(DataSource).query<T[]>(sql, values);
const check = (...words: string[]) =>
  commandProcess({ databaseUrl: database.url, ...anvil }, 'check', '--chain', '--network', NETWORK, ...words);
const alert = () => service.app.get(AlertsService).standing('chain-difference', NETWORK);

/** The lease is locked until then, so that no write begins and no look takes it, and is another term's afterwards. */
async function whileNobodyWatches(work: () => Promise<void>): Promise<void> {
  // Its connections are not those of the transaction that it runs beside.
  const beside = AsyncResource.bind(work);
  await service.app.get(DataSource).transaction(async (tx) => {
    await tx.query('SELECT FROM watch_lease FOR UPDATE');
    await tx.query(
      `UPDATE watch_lease SET holder = 'a test', term = term + 1, expires_at = clock_timestamp()`,
    );
    await beside();
  });
}

/** Nobody watches: the cursor is told that it has seen the blocks of the payment. */
async function payPastTheWatcher(): Promise<void> {
  const { testClient, tokens } = anvil;
  const args = [paid.address, BigInt(paid.atoms)] as const;
  const token = { address: tokens.USDC.address, abi: erc20Abi, functionName: 'transfer' } as const;
  await testClient.writeContract({ account: anvilAccount(5).address, ...token, args });
  await testClient.mine({ blocks: 1 });
  const { number, hash } = await testClient.getBlock();
  await query('UPDATE chain_cursor SET height = $1, hash = $2', [Number(number), hash]);
  await query('UPDATE cursor_asset SET covered_height = $1', [Number(number)]);
  await query('INSERT INTO chain_block (network, height, hash) VALUES ($1, $2, $3)', [
    NETWORK,
    Number(number),
    hash,
  ]);
}

/** Everything so far is final, and the watcher has passed it. */
async function caughtUp(): Promise<void> {
  await anvil.testClient.mine({ blocks: 10 });
  const tip = Number(await anvil.testClient.getBlockNumber());
  await eventually(
    async () => (await query<{ height: string }>('SELECT height FROM chain_cursor'))[0]!.height,
    (height) => Number(height) === tip,
  );
}

/** A whole round of the job; $1 minutes later. */
async function compare(minutes = 0): Promise<void> {
  await query(
    `UPDATE reconciliation SET term = gen_random_uuid(), leased_until = 'epoch', position = NULL, round_started_at = NULL`,
  );
  await query(`UPDATE chain_difference SET seen_at = seen_at - make_interval(mins => $1)`, [minutes]);
  const reconciliation = service.app.get(ReconciliationService);
  while (await reconciliation.step(await presentTerm(service.app.get(DataSource), NETWORK)));
  await service.app.get(ChainAlerts, { strict: false }).look();
}

async function differences(): Promise<number> {
  const { registry } = service.app.get(Metrics);
  const text = await registry.getSingleMetricAsString('rappen_reconcile_differences');
  return Number(/network="ethereum"\} (\d+)/.exec(text)?.[1]);
}

it('finds a payment that was put past the watcher, and ends with 1', async () => {
  const { code, stdout, stderr } = await check();
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toMatch(/^ethereum: 1 difference; 1 addresses at block \d+, \d+ requests$/m);
  expect(stdout).toContain(`unrecorded: ${paid.address}: USDC chain ${paid.atoms}, recorded 0 atoms, block `);
  expect(await money.status(paid.id)).toBe('initiated');
});

it('raises an alert and a metric once the job has found it, and the payment is decided', async () => {
  await compare();
  expect(await alert()).toMatchObject({ subject: NETWORK, data: { total: 1 } });
  expect(await differences()).toBe(1);
  await eventually(
    () => money.status(paid.id),
    (status) => ['confirmed', 'settled'].includes(status),
  );
});

it('is clean afterwards, and the alert ends', async () => {
  const { code, stdout } = await check('--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    verdict: 'clean',
    networks: [{ network: NETWORK, verdict: 'clean', compared: 1, incomparable: {}, differences: [] }],
  });
  await compare(6);
  expect([await alert(), await differences()]).toEqual([null, 0]);
});
