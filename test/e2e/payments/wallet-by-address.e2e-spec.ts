import { verifyDepositAddress } from '@rappen/client';
import { type Address, getAddress, type Hex, keccak256, parseEther, parseUnits, stringToHex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { Checkout } from '../../../src/cli/pay/checkout-client.js';
import { AuditLog } from '../../../src/modules/accounts/audit/audit-log.service.js';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import { forwarderFactory } from '../../../src/modules/chains/forwarders.types.js';
import { DestinationsService } from '../../../src/modules/chains/wallets/destinations.service.js';
import { BUYER, ERC20 } from '../../chain/chains-fixture.js';
import { ANYBODY, COIN, collectAll, deployFactory } from '../../chain/forwarders/collecting.js';
import { Api } from '../../support/api/api.js';
import { chosen } from '../../support/checkout/choose.js';
import { Staff } from '../../support/dashboard/staff.js';
import { CLI_ACTOR } from '../../support/intents/by.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { anvilAt, expectLikeItsChain } from '../../support/nodes/chain-check.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service, type Shop } from '../../support/service/service.js';

let anvil: TestAnvil;
let service: Service;
let shop: Shop;
let api: Api;
const owner = privateKeyToAddress(generatePrivateKey());

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  service = await Service.start({ chain: anvil });
  shop = await service.shop();
  api = new Api(service, shop.key);
});
afterAll(async () => {
  await service?.stop();
  await anvil?.stop();
});

const set = (address: string) =>
  service.app
    .get(DestinationsService)
    .set(
      { merchantId: shop.merchantId, network: 'ethereum', address },
      service.app.get(AuditLog).by(CLI_ACTOR),
    );

const alerts = async () =>
  (await service.app.get(AlertsService).list({ merchantId: shop.merchantId, open: true })).items;

async function picked(asset: string): Promise<{ id: string; address: Address; amount: string }> {
  const { body } = await api.create({ amount: 49.9, currency: 'CHF' });
  const checkout = new Checkout(service.config.checkoutUrl, body.id);
  const { depositAddress, missing } = await chosen(checkout, { network: 'ethereum', asset });
  return { id: body.id, address: depositAddress as Address, amount: missing! };
}

const settled = (id: string) =>
  eventually(
    async () => (await api.get(id)).body,
    ({ status }) => status === 'settled',
    60_000,
  );

const mined = async (hash: Hex) => anvil.testClient.waitForTransactionReceipt({ hash });
const sendCoin = (to: Address, ether: string, from: Address = BUYER) =>
  anvil.testClient.sendTransaction({ account: from, to, value: parseEther(ether) });
const sendUsdc = (to: Address, amount: string) =>
  anvil.testClient.writeContract({
    account: BUYER,
    address: anvil.tokens.USDC.address,
    abi: ERC20,
    functionName: 'transfer',
    args: [to, parseUnits(amount, 6)] as const,
  });
const held = async (holder: Address) => ({
  coin: await anvil.testClient.getBalance({ address: holder }),
  usdc: await anvil.testClient.readContract({
    address: anvil.tokens.USDC.address,
    functionName: 'balanceOf',
    args: [holder],
    abi: [
      {
        type: 'function',
        name: 'balanceOf',
        stateMutability: 'view',
        inputs: [{ type: 'address', name: '' }],
        outputs: [{ type: 'uint256', name: '' }],
      },
    ] as const,
  }),
});
const saltOf = (id: string, asset: string) => keccak256(stringToHex(`${id}/ethereum/${asset}`));
/** By whomever: here an account that has no part in any of it. */
const collect = async (asset: Address, salts: readonly Hex[]) => {
  const { to, data } = collectAll(owner, asset, salts);
  const receipt = await mined(
    await anvil.testClient.sendTransaction({ account: ANYBODY, to, data: data!, gas: 3_000_000n }),
  );
  expect(receipt.status).toBe('success');
};

it('is paid in tokens and in coin, and has all of it at its address once anybody collects', async () => {
  expect(await set(owner)).toMatchObject({ account: 'plain', isFactoryDeployed: false, changes: 2 });
  const tokens = await picked('USDC');
  const coin = await picked('ETH');
  for (const { id, address } of [tokens, coin]) {
    const { body } = await api.get(id);
    expect(getAddress(body.depositAddress!)).toBe(address);
    expect(verifyDepositAddress(body as never, { destination: owner })).toBe(true);
  }
  await sendUsdc(tokens.address, tokens.amount);
  await sendCoin(coin.address, coin.amount);
  for (const { id } of [tokens, coin]) await settled(id);

  await deployFactory(anvil.rpcUrl);
  expect(await held(owner)).toEqual({ coin: 0n, usdc: 0n });
  await collect(anvil.tokens.USDC.address, [saltOf(tokens.id, 'USDC')]);
  await collect(COIN, [saltOf(coin.id, 'ETH')]);
  expect(await held(owner)).toEqual({
    coin: parseEther(coin.amount),
    usdc: parseUnits(tokens.amount, 6),
  });
  expect([await held(tokens.address), await held(coin.address)]).toEqual([
    { coin: 0n, usdc: 0n },
    { coin: 0n, usdc: 0n },
  ]);
  // What left was collected: no loss, and nothing to alert anybody of.
  await expectLikeItsChain(service.app, 'ethereum', anvilAt(anvil.rpcUrl));
  expect(await alerts()).toEqual([]);

  // Late money is found and collected like the first.
  await sendUsdc(tokens.address, '5');
  await eventually(alerts, (seen) => seen.length > 0, 60_000);
  await collect(anvil.tokens.USDC.address, [saltOf(tokens.id, 'USDC')]);
  expect((await held(owner)).usdc).toBe(parseUnits(tokens.amount, 6) + parseUnits('5', 6));
});

it('says on the page from what the address follows, and the contract on the chain says the same', async () => {
  const { id, address } = await picked('USDC');
  const page = await (await fetch(`${service.config.checkoutUrl}/pay/${id}`)).text();
  const record = page.slice(page.indexOf('Check this address'));
  const [destination, factory, salt] = [
    ...record.matchAll(/<code class="whole">(0x[0-9a-fA-F]+)<\/code>/g),
  ].map(([, hex]) => hex as Hex);
  expect(destination).toBe(owner);
  expect(/of “(.*?)”/.exec(record)?.[1]).toBe(`${id}/ethereum/USDC`);
  expect(salt).toBe(saltOf(id, 'USDC'));
  expect(factory).toBe(forwarderFactory.address);
  const { abi } = forwarderFactory;
  const args = [owner, salt!] as const;
  expect(
    await anvil.testClient.readContract({ abi, address: factory!, functionName: 'addressOf', args }),
  ).toBe(address);
  const staff = await Staff.of(service, { merchantId: shop.merchantId, role: 'owner' });
  const { html } = await staff.get(`/dashboard/payments/${id}`);
  expect(html).toContain(`which is       ${address}`);
});

it('takes what the merchant sends from its own wallet for its own movement', async () => {
  const { id, address, amount } = await picked('ETH');
  await anvil.testClient.setBalance({ address: owner, value: parseEther('100') });
  await anvil.testClient.impersonateAccount({ address: owner });
  await mined(await sendCoin(address, amount, owner));
  const seen = await mined(await sendCoin(address, '0.000001'));
  await eventually(
    async () => (await api.get(id)).body,
    ({ status }) => status === 'pending',
    60_000,
  );
  expect(seen.status).toBe('success');
  expect((await api.get(id)).body).toMatchObject({ payment: { received: '0.00000100' } });
});

it('keeps the destination of open quotes when the wallet changes', async () => {
  const before = await picked('USDC');
  const next = privateKeyToAddress(generatePrivateKey());
  await set(next);
  const after = await picked('USDC');
  const of = async (id: string, destination: string) =>
    verifyDepositAddress((await api.get(id)).body, { destination });
  expect([await of(before.id, owner), await of(before.id, next)]).toEqual([true, false]);
  expect([await of(after.id, owner), await of(after.id, next)]).toEqual([false, true]);
  await sendUsdc(before.address, before.amount);
  await settled(before.id);
});
