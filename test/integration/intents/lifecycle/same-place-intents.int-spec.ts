import { DataSource } from 'typeorm';
import { type Address, parseUnits } from 'viem';
import { FactsService } from '../../../../src/modules/chains/facts.service.js';
import { IntentsService } from '../../../../src/modules/intents/lifecycle/intents.service.js';
import { anvilAccount } from '../../../../src/modules/sandbox/local/evm/tokens.js';
import { BUYER, ERC20 } from '../../../chain/chains-fixture.js';
import { compileContracts } from '../../../chain/contracts.js';
import { endWindowIn } from '../../../support/api/api-windows.js';
import { choose } from '../../../support/checkout/choose.js';
import { ORDER } from '../../../support/intents/order.js';
import { reorganise, startTestAnvil, type TestAnvil } from '../../../support/nodes/anvil.js';
import { eventually } from '../../../support/servers/receiver.js';
import { Service, type Shop } from '../../../support/service/service.js';

// A completed payment by a contract that pays less when a reorganisation has it mined again.

const { till } = compileContracts();
const DEPTH = 3;
const [caller, drainer] = [anvilAccount(6).address, anvilAccount(7).address];

let anvil: TestAnvil;
let service: Service;
let shop: Shop;
let at: Address;

beforeAll(async () => {
  anvil = await startTestAnvil();
  await anvil.testClient.mine({ blocks: 20 });
  const { abi, bytecode } = till;
  const hash = await anvil.testClient.deployContract({ account: BUYER, abi, bytecode, args: [] });
  await anvil.testClient.mine({ blocks: 5 });
  at = (await anvil.testClient.getTransactionReceipt({ hash })).contractAddress!;
  const network = { pollIntervalMs: 100, confirmationDepth: DEPTH };
  service = await Service.start({ chain: anvil, network });
  shop = await service.shop();
});
afterAll(async () => {
  try {
    await service?.stop();
  } finally {
    await anvil?.stop();
  }
});

const fill = (value: bigint) =>
  anvil.testClient.writeContract({
    account: BUYER,
    address: anvil.tokens.USDC.address,
    abi: ERC20,
    functionName: 'transfer',
    args: [at, value] as const,
  });
const empty = (to: Address, account: Address) =>
  anvil.testClient.writeContract({
    account,
    address: at,
    abi: till.abi,
    functionName: 'empty',
    gas: 200_000n,
    args: [anvil.tokens.USDC.address, to],
  });

const shown = async (id: string) => {
  const facts = await service.app.get(FactsService).of(service.app.get(DataSource), id);
  const [{ open }] = await service.app
    .get(DataSource)
    .query<[{ open: number }]>('SELECT count(*)::int AS open FROM fact_change WHERE subject = $1', [id]);
  // What has been decided about these facts.
  const { status } = await service.app.get(IntentsService).get(shop.merchantId, id);
  const height = facts.tips.get('ethereum')?.height ?? 0;
  const amounts = facts.transfers.filter((t) => t.state === 'included').map((t) => t.amountAtoms);
  return {
    status,
    amounts,
    isDone: open === 0 && height === Number(await anvil.testClient.getBlockNumber()),
  };
};
const until = (id: string, wanted: (seen: Awaited<ReturnType<typeof shown>>) => boolean) =>
  eventually(
    () => shown(id),
    (seen) => seen.isDone && wanted(seen),
  );

it('that ended is lost when what pays less has the confirmation depth, and not before', async () => {
  const intents = service.app.get(IntentsService);
  const { intent } = await intents.create(shop.merchantId, ORDER);
  const { id } = intent;
  await choose(service, id, 'ethereum', 'USDC');
  const { depositAddress, cryptoAmount } = await intents.get(shop.merchantId, id);
  const price = parseUnits(cryptoAmount!, 6);
  const less = price / 2n;

  await fill(price);
  await anvil.testClient.mine({ blocks: 1 });
  const txid = await empty(depositAddress as Address, caller);
  await anvil.testClient.mine({ blocks: 1 });
  await until(id, ({ amounts }) => amounts.join() === `${price}`);
  const raw = await anvil.testClient.request({
    method: 'eth_getRawTransactionByHash',
    params: [txid],
  } as never);
  await endWindowIn(service, id, 0);

  await reorganise(anvil.testClient, 1);
  await empty(drainer, drainer);
  await anvil.testClient.mine({ blocks: 1 });
  await fill(less);
  await anvil.testClient.mine({ blocks: 1 });
  await anvil.testClient.sendRawTransaction({ serializedTransaction: raw });
  await anvil.testClient.mine({ blocks: 1 });
  for (let depth = 1; depth < DEPTH; depth++) {
    expect(await until(id, ({ amounts }) => amounts.join() === `${less}`)).toMatchObject({
      status: 'pending',
    });
    await anvil.testClient.mine({ blocks: 1 });
  }
  expect(await until(id, ({ status }) => status !== 'pending')).toMatchObject({ status: 'failed' });
});
