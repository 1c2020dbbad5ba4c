import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Address, type Hex, parseAbi, parseUnits } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { Checkout } from '../../../src/cli/pay/checkout-client.js';
import { DETERMINISTIC_DEPLOYER } from '../../../src/modules/chains/factory-deployment.types.js';
import { forwarderFactory } from '../../../src/modules/chains/forwarders.types.js';
import { DestinationsService } from '../../../src/modules/chains/wallets/destinations.service.js';
import { BUYER, ERC20 } from '../../chain/chains-fixture.js';
import { compileContracts } from '../../chain/contracts.js';
import { ANYBODY, deployFactory } from '../../chain/forwarders/collecting.js';
import { Api } from '../../support/api/api.js';
import { BrowserWallet } from '../../support/browser/browser-wallet.js';
import { launchChromium } from '../../support/browser/chromium.js';
import { AXE_FILE, axeFindings, htmlFindings } from '../../support/browser/inspection.js';
import { complaintsOf, overflow } from '../../support/browser/reading.js';
import { chosen } from '../../support/checkout/choose.js';
import { Staff } from '../../support/dashboard/staff.js';
import { by } from '../../support/intents/by.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { rpc } from '../../support/nodes/node-rpc.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service, type Shop } from '../../support/service/service.js';

const owner = privateKeyToAddress(generatePrivateKey());
let wallet: BrowserWallet;
let anvil: TestAnvil;
let service: Service;
let shop: Shop;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];
let sent: Promise<string>;
/** USDC, of which single holders can be kept from sending. */
let token: Address;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  await deployFactory(anvil.rpcUrl);
  const { bytecode, abi } = compileContracts().freezingToken;
  const hash = await anvil.testClient.deployContract({ account: BUYER, abi, bytecode, args: [] });
  token = (await anvil.testClient.waitForTransactionReceipt({ hash })).contractAddress!;
  const tokens = { ...anvil.tokens, USDC: { address: token } };
  service = await Service.start({ chain: { ...anvil, tokens } });
  shop = await service.shop();
  await service.app
    .get(DestinationsService)
    .set({ merchantId: shop.merchantId, network: 'ethereum', address: owner }, by('test'));
  browser = await launchChromium();
  context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 360, height: 740 } });
  wallet = new BrowserWallet(anvil.rpcUrl, ANYBODY);
  await wallet.announceIn(context);
  await context.addInitScript({ path: AXE_FILE });
  const staff = await Staff.of(service, { merchantId: shop.merchantId, role: 'owner' });
  await context.addCookies([{ ...staff.sessionCookie, url: service.url }]);
  page = await context.newPage();
  complaints = complaintsOf(page);
  page.on('response', (response) => {
    if (response.request().resourceType() === 'document' && response.status() !== 303) sent = response.text();
  });
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await anvil?.stop();
});

/** @returns the deposit address */
async function paid(): Promise<Address> {
  const { body } = await new Api(service, shop.key).create({ amount: 49.9, currency: 'CHF' });
  const checkout = new Checkout(service.config.checkoutUrl, body.id);
  const { depositAddress, missing } = await chosen(checkout, { network: 'ethereum', asset: 'USDC' });
  const args = [depositAddress as Address, parseUnits(missing!, 6)] as const;
  await anvil.testClient.writeContract({
    account: BUYER,
    address: token,
    abi: ERC20,
    functionName: 'transfer',
    args,
  });
  return depositAddress as Address;
}

async function freeze(holder: Address, frozen: boolean): Promise<void> {
  const abi = parseAbi(['function freeze(address holder, bool frozen)']);
  const args = [holder, frozen] as const;
  const hash = await anvil.testClient.writeContract({
    account: BUYER,
    address: token,
    abi,
    functionName: 'freeze',
    args,
  });
  await anvil.testClient.waitForTransactionReceipt({ hash });
}

async function findings(): Promise<string[]> {
  const excess = await overflow(page);
  const found = [...(await axeFindings(page)), ...(await htmlFindings(await sent))];
  return [...found, ...(excess > 0 ? [`${excess} px too wide`] : [])];
}
const main = async (of = page) => (await of.locator('main').textContent()) ?? '';
const treasuryUntil = (text: string) =>
  eventually(
    async () => {
      await page.goto(`${service.url}/dashboard/treasury`);
      return main();
    },
    (words) => words.includes(text),
    60_000,
  );
const onCollect = async (of: Page) => {
  await of.goto(`${service.url}/dashboard/treasury/collect?network=ethereum&asset=USDC`);
  return of.getByRole('button', { name: 'Collect with Test Wallet' });
};

it('collects with the browser’s wallet exactly what the page shows, once, and says what the chain says', async () => {
  await treasuryUntil('Nothing waits to be collected');
  expect(await findings()).toEqual([]);
  await paid();
  await paid();
  await treasuryUntil('lies on 2 deposit addresses');
  expect(await findings()).toEqual([]);
  await page.getByRole('link', { name: 'Collect USDC on Ethereum' }).click();
  expect(await main()).toContain('from 2 deposit addresses in one transaction, for about');
  expect(await main()).toContain(owner);
  expect(await findings()).toEqual([]);
  const button = page.getByRole('button', { name: 'Collect with Test Wallet' });
  const other = await context.newPage();
  const again = await onCollect(other);

  wallet.refusals.set('eth_sendTransaction', { code: 4001 });
  await button.click();
  await page.getByText('You refused in your wallet. Nothing was sent.').waitFor();
  wallet.refusals.clear();
  expect(wallet.asked).toContain('wallet_switchEthereumChain');
  expect(Number(wallet.chainId)).toBe(31337);
  await button.click();
  await page.getByText(/^Collected .*\sUSDC\. It is final\.$/).waitFor({ timeout: 60_000 });
  await button.waitFor({ state: 'hidden' });
  expect(await findings()).toEqual([]);

  const before = wallet.sent;
  await again.click();
  await other.getByText('This has been collected meanwhile').waitFor();
  expect(wallet.sent).toBe(before);
  await other.close();

  await treasuryUntil('Nothing waits to be collected');
  expect(await page.getByRole('row').filter({ hasText: 'Collected' }).count()).toBe(1);
  expect(await findings()).toEqual([]);
  expect(complaints).toEqual([]);
});

it('says that a transaction is on its way, in another tab too, and sends no second one', async () => {
  await paid();
  await treasuryUntil('lies on one deposit address');
  wallet.loses = true;
  await (await onCollect(page)).click();
  await page.getByText('Sent. It waits for a block.').waitFor();
  const other = await context.newPage();
  const count = wallet.sent;
  await (await onCollect(other)).click();
  await other.getByText('Sent a moment ago').waitFor();
  expect(wallet.sent).toBe(count);
  await other.goto(`${service.url}/dashboard/treasury`);
  await other.getByText('Sent from this browser and in no block yet: USDC on Ethereum').waitFor();
  await other.close();
});

it('asks no more what became of it once its session is over', async () => {
  const own = await browser.newContext({ storageState: await context.storageState() });
  const watched = await own.newPage();
  const asked: string[] = [];
  watched.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await watched.goto(`${service.url}/dashboard/treasury/collect?network=ethereum&asset=USDC`);
  await watched.getByText('Sent. It waits for a block.').waitFor();
  await own.clearCookies();
  await watched.waitForResponse((response) => response.status() === 303);
  await sleep(500);
  asked.length = 0;
  await sleep(5_000);
  expect(asked).toEqual([]);
  await own.close();
});

it('follows nothing that it sent for another part than the page shows', async () => {
  await treasuryUntil('lies on one deposit address');
  const row = page.getByRole('row').filter({ hasText: 'Collected' });
  const txid = /0x[0-9a-f]{64}/.exec(await row.first().innerHTML())![0];
  const other = { network: 'ethereum', networkName: 'Ethereum', asset: 'USDC', txid, data: '0x07', index: 0 };
  await page.evaluate(
    `localStorage.setItem('rappen.collecting', JSON.stringify([{ ...${JSON.stringify(other)}, atMs: Date.now() }]))`,
  );
  const button = await onCollect(page);
  await page.waitForLoadState('networkidle');
  expect(await page.locator('[data-said]').allTextContents()).toEqual(['']);
  expect(await page.locator('[data-done]').count()).toBe(0);
  expect(await button.isVisible()).toBe(true);
});

it('gives a file for a Safe, the command, and without JavaScript all but the wallet', async () => {
  await treasuryUntil('lies on one deposit address');
  const plain = await browser.newContext({ javaScriptEnabled: false });
  await plain.addCookies(await context.cookies());
  const without = await plain.newPage();
  await without.goto(`${service.url}/dashboard/treasury/collect?network=ethereum&asset=USDC`);
  expect(await main(without)).toContain('rappen treasury collect --merchant');
  const [download] = await Promise.all([
    without.waitForEvent('download'),
    without.getByRole('link', { name: 'Download for Safe' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('collect-ethereum-USDC-1.json');
  await plain.close();
});

it('says what did not pay out, and does not take it for collected', async () => {
  const frozen = [await paid(), await paid()];
  await treasuryUntil('lies on 3 deposit addresses');
  for (const address of frozen) await freeze(address, true);
  wallet.loses = false;
  await page.evaluate('localStorage.clear()');
  await (await onCollect(page)).click();
  const said = page.locator('[data-said]');
  const some = /^Collected [\d.]+\sUSDC\. It is final\. 2 addresses with [\d.]+\sUSDC did not pay out/;
  await said.filter({ hasText: some }).waitFor({ timeout: 60_000 });
  await page.getByText('Addresses that did not pay out').click();
  for (const address of frozen)
    await page
      .locator('[data-unpaid] li')
      .filter({ hasText: `${address}: ` })
      .waitFor();
  expect(await findings()).toEqual([]);

  await (await onCollect(page)).click();
  const none = /^This transaction moved nothing\. 2 addresses with [\d.]+\sUSDC did not pay out/;
  await said.filter({ hasText: none }).waitFor({ timeout: 60_000 });

  for (const address of frozen) await freeze(address, false);
  const again = await onCollect(page);
  const data = (await page.locator('[data-data]').getAttribute('data-data')) as Hex;
  // Somebody else collects while the wallet's person reads.
  wallet.meanwhile.set('eth_sendTransaction', async () => {
    const call = { account: BUYER, to: forwarderFactory.address, data } as const;
    const hash = await anvil.testClient.sendTransaction(call);
    await anvil.testClient.waitForTransactionReceipt({ hash });
  });
  await again.click();
  await page.getByText('This transaction moved nothing: all of it had been collected before.').waitFor();
  wallet.meanwhile.clear();
  await treasuryUntil('Nothing waits to be collected');
  expect(complaints).toEqual([]);
});

it('says what has to be done first where the contract that collects is not, and offers no way', async () => {
  await paid();
  await treasuryUntil('lies on one deposit address');
  const codes = new Map<string, Hex>();
  for (const address of [forwarderFactory.address, DETERMINISTIC_DEPLOYER]) {
    codes.set(address, await rpc<Hex>(anvil.rpcUrl, 'eth_getCode', [address, 'latest']));
    await rpc(anvil.rpcUrl, 'anvil_setCode', [address, '0x']);
    await treasuryUntil('the contract that collects is not there yet');
    expect(await findings()).toEqual([]);
    await onCollect(page);
    expect(await main()).toContain('cannot be collected yet');
    expect(await main()).toContain('rappen contracts deploy --network ethereum');
    expect((await main()).includes(DETERMINISTIC_DEPLOYER)).toBe(address === DETERMINISTIC_DEPLOYER);
    for (const way of ['With a wallet in this browser', 'Download for Safe', 'rappen treasury collect'])
      expect(await main()).not.toContain(way);
    expect(await findings()).toEqual([]);
  }
  for (const [address, code] of codes) await rpc(anvil.rpcUrl, 'anvil_setCode', [address, code]);
  await (await onCollect(page)).waitFor();
  expect(complaints).toEqual([]);
});
