import { DataSource } from 'typeorm';
import { type Address, erc20Abi, parseUnits } from 'viem';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { choose } from '../../support/checkout/choose.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { ORDER } from '../../support/intents/order.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

let anvil: TestAnvil;
let database: TestDatabase;

beforeAll(async () => {
  anvil = await startTestAnvil({ automine: true });
  database = await createTestDatabase();
});
afterAll(async () => {
  await anvil.stop();
  await database.drop();
});

const start = () => Service.start({ chain: anvil, databaseUrl: database.url });

async function picked(service: Service, merchantId: string): Promise<{ id: string; address: Address }> {
  const request = { ...ORDER, amountMinor: 800n };
  const intents = service.app.get(IntentsService);
  const { intent } = await intents.create(merchantId, request);
  await choose(service, intent.id, 'ethereum', 'USDC');
  const { depositAddress } = await intents.get(merchantId, intent.id);
  return { id: intent.id, address: depositAddress as Address };
}

/** @returns the time of the block that holds the payment of 10 USDC, which is what CHF 8 cost */
async function pay(to: Address): Promise<Date> {
  const [account] = await anvil.testClient.getAddresses();
  const hash = await anvil.testClient.writeContract({
    account: account!,
    address: anvil.tokens.USDC.address,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [to, parseUnits('10', 6)],
  });
  const { blockHash } = await anvil.testClient.waitForTransactionReceipt({ hash });
  const block = await anvil.testClient.getBlock({ blockHash });
  return new Date(Number(block.timestamp) * 1000);
}

it('completes a punctual payment that the first catch-up finds after 500 blocks and after the window', async () => {
  const before = await start();
  const { merchantId } = await before.shop();
  const punctual = await picked(before, merchantId);
  const others = await Promise.all(Array.from({ length: 5 }, () => picked(before, merchantId)));
  await before.stop();

  const paidAt = await pay(punctual.address);
  for (const other of others) {
    await anvil.testClient.mine({ blocks: 100 });
    await pay(other.address);
  }
  // The window ended with the very second of the block, long before the service is back.
  const dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  await dataSource.query(
    `UPDATE intent SET created_at = $2::timestamptz - interval '15 minutes', expires_at = $2::timestamptz WHERE id = $1`,
    [punctual.id, paidAt],
  );
  await dataSource.destroy();

  const after = await start();
  const intents = after.app.get(IntentsService);
  await anvil.testClient.mine({ blocks: 10 });
  for (const { id } of [punctual, ...others]) {
    const status = () => intents.get(merchantId, id).then((intent) => intent.status);
    await eventually(status, (seen) => seen === 'settled');
  }
  await after.stop();
});
