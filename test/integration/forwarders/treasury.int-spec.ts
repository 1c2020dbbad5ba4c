import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, erc20Abi, type Hex, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { sandboxEthereum, sandboxPolygon } from '../../../src/config/networks.js';
import { newId } from '../../../src/kernel/ids.js';
import { KnownAssetsRepository } from '../../../src/modules/chains/data/known-assets.repository.js';
import { depositSalt, forwarderAddress } from '../../../src/modules/chains/domain/forwarder-address.js';
import { CollectingService } from '../../../src/modules/chains/forwarders/collecting.service.js';
import { HoldingsService } from '../../../src/modules/chains/forwarders/holdings.service.js';
import { NetworkHealthService } from '../../../src/modules/chains/network-health.service.js';
import { AssetDecimals } from '../../../src/modules/chains/networks/asset-decimals.service.js';
import { NetworksService } from '../../../src/modules/chains/networks/networks.service.js';
import { DestinationsService } from '../../../src/modules/chains/wallets/destinations.service.js';
import { CollectionsService } from '../../../src/modules/treasury/collections.service.js';
import { MOST_GAS } from '../../../src/modules/treasury/domain/batches.js';
import { TreasuryService } from '../../../src/modules/treasury/treasury.service.js';
import { type Chains, startChains } from '../../chain/chains-fixture.js';
import { type Call, deployFactory, PAYER, transfer } from '../../chain/forwarders/collecting.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { amountOf } from '../../support/intents/amount.js';
import { by } from '../../support/intents/by.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { expectChainClean } from '../../support/nodes/chain-check.js';
import { rpc } from '../../support/nodes/node-rpc.js';
import { eventually } from '../../support/servers/receiver.js';
import { commandLine, commandsOf, printed } from '../../support/service/command-line.js';

/** Anvil's fourth account: it pays for the gas and gets nothing. */
const GAS_KEY: Hex = '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6';
const PAYS_GAS = privateKeyToAddress(GAS_KEY);
const DESTINATION = privateKeyToAddress(generatePrivateKey());
const COIN_ATOMS = parseEther('0.01');
const TOKEN_ATOMS = 5_000_000n;
/** 500 deposits on two networks; those of ETH are more than one transaction can hold. */
const DEPOSITS = [
  { network: 'ethereum', asset: 'ETH', count: 260 },
  { network: 'ethereum', asset: 'USDC', count: 80 },
  { network: 'ethereum', asset: 'USDT', count: 60 },
  { network: 'polygon', asset: 'POL', count: 60 },
  { network: 'polygon', asset: 'USDC', count: 39 },
] as const;

let database: TestDatabase;
let anvils: Readonly<Record<'ethereum' | 'polygon', TestAnvil>>;
let chains: Chains;
let treasury: TreasuryService;
let collections: CollectionsService;
let merchant: string;
let keys: string;
let elsewhere: Address;
const issued: { network: 'ethereum' | 'polygon'; asset: string; address: Address }[] = [];

const place = () => ({
  databaseUrl: database.url,
  rpcUrl: anvils.ethereum.rpcUrl,
  tokens: anvils.ethereum.tokens,
  polygon: anvils.polygon,
});
const json = async (...words: string[]) =>
  (await commandLine(
    place(),
    await commandsOf('treasury'),
    'treasury',
    ...words,
  )) as never as readonly Record<string, unknown>[];
const text = async (...words: string[]) =>
  printed(place(), await commandsOf('treasury'), 'treasury', ...words);
const nonces = () =>
  Promise.all(
    Object.values(anvils).map(({ testClient }) => testClient.getTransactionCount({ address: PAYS_GAS })),
  );

async function pay(network: 'ethereum' | 'polygon', asset: string, to: Address): Promise<void> {
  const { rpcUrl, tokens } = anvils[network];
  const token = asset in tokens ? tokens[asset as 'USDC' | 'USDT'].address : null;
  const call: Call = token ? transfer(token, to, TOKEN_ATOMS) : { to, value: COIN_ATOMS };
  const value = `0x${(call.value ?? 0n).toString(16)}`;
  await rpc(rpcUrl, 'eth_sendTransaction', [{ from: PAYER, ...call, value, gas: '0x186a0' }]);
}

beforeAll(async () => {
  keys = mkdtempSync(join(tmpdir(), 'rappen-gas-'));
  writeFileSync(join(keys, 'key'), `${GAS_KEY}\n`, { mode: 0o600 });
  const [db, ethereum, polygon] = await Promise.all([
    createTestDatabase(),
    startTestAnvil({ blockTimeS: 1 }),
    startTestAnvil({ blockTimeS: 1, chainId: 31338 }),
  ]);
  [database, anvils] = [db, { ethereum, polygon }];
  await Promise.all([deployFactory(ethereum.rpcUrl), deployFactory(polygon.rpcUrl)]);
  const { USDC, USDT } = ethereum.tokens;
  chains = await startChains(database.url, [
    sandboxEthereum(ethereum.rpcUrl, { USDC: USDC.address, USDT: USDT.address }),
    sandboxPolygon(polygon.rpcUrl, { USDC: polygon.tokens.USDC.address }),
  ]);
  const inside = <T>(type: abstract new (...args: never[]) => T): T =>
    chains.app.get(type, { strict: false });
  treasury = new TreasuryService(
    inside(NetworksService),
    inside(AssetDecimals),
    inside(HoldingsService),
    inside(CollectingService),
    {
      rate: () => null,
    } as never,
  );
  collections = new CollectionsService(
    inside(NetworkHealthService),
    inside(NetworksService),
    inside(AssetDecimals),
    inside(HoldingsService),
    inside(CollectingService),
  );
  const created = ['merchant', 'create', '--name', 'Shop', '--approved'];
  merchant = (await commandLine(place(), await commandsOf('merchant'), ...created))['id'] as string;
  for (const network of ['ethereum', 'polygon'])
    await inside(DestinationsService).set(
      { merchantId: merchant, network, address: DESTINATION },
      by('test'),
    );
  chains.jobs.start();
  for (const { network, asset, count } of DEPOSITS) {
    for (let i = 0; i < count; i += 1) {
      const wanted = {
        merchantId: merchant,
        network,
        asset,
        subject: `pi_${network}${asset}${i}`,
        confirmationDepth: 1,
      };
      const one = await chains.dataSource.transaction((tx) => chains.addresses.issue(tx, wanted));
      issued.push({ network, asset, address: one.address as Address });
    }
  }
  for (const { network, asset, address } of issued) await pay(network, asset, address);
  // A buyer took the wrong network: the address is the same there.
  elsewhere = issued[0]!.address;
  await pay('polygon', 'USDC', elsewhere);
});
afterAll(async () => {
  await chains?.app.close();
  await Promise.all([anvils?.ethereum.stop(), anvils?.polygon.stop()]);
  await database?.drop();
  rmSync(keys, { recursive: true });
});

const lying = async () =>
  (await treasury.lying(merchant, 'CHF')).map(({ network, asset, addresses, unexpected, cost }) => {
    return [network, asset, addresses, unexpected, cost?.transactions];
  });

it('finds what lies where, also on a network where nobody expected it', async () => {
  await eventually(
    async () => (await treasury.rows(merchant)).filter(({ state }) => state === 'collectible').length,
    (count) => count === 500,
    60_000,
  );
  const all = await json('show', '--merchant', merchant);
  expect(all).toHaveLength(500);
  expect(all).toContainEqual({
    network: 'polygon',
    asset: 'USDC',
    address: elsewhere,
    intentId: 'pi_ethereumETH0',
    amount: '5',
    state: 'collectible',
  });
  expect(await lying()).toEqual([
    ['ethereum', 'ETH', 260, 0, 2],
    ['ethereum', 'USDC', 80, 0, 1],
    ['ethereum', 'USDT', 60, 0, 1],
    ['polygon', 'POL', 60, 0, 1],
    ['polygon', 'USDC', 40, 1, 1],
  ]);
});

it('shows what lies there of an asset that is configured no more by its decimals, which are never taken for none', async () => {
  const inside = <T>(type: abstract new (...args: never[]) => T): T =>
    chains.app.get(type, { strict: false });
  const networks = inside(NetworksService)
    .all()
    .map((network) => ({ ...network, assets: network.assets.filter(({ symbol }) => symbol !== 'USDC') }));
  const without = new NetworksService({ networks } as never);
  const later = new TreasuryService(
    without,
    new AssetDecimals(chains.dataSource, inside(KnownAssetsRepository), without),
    inside(HoldingsService),
    inside(CollectingService),
    { rate: () => null } as never,
  );
  const decimals = async () =>
    new Set((await later.rows(merchant)).flatMap((row) => (row.asset === 'USDC' ? [row.decimals] : [])));
  expect(await decimals()).toEqual(new Set([6]));
  // As of a token that was taken out before it was written down what assets are called.
  await chains.dataSource.query(`UPDATE known_asset SET symbol = 'USDC.old' WHERE symbol = 'USDC'`);
  expect(await decimals()).toEqual(new Set([null]));
  await chains.dataSource.query(`UPDATE known_asset SET symbol = 'USDC' WHERE symbol = 'USDC.old'`);
});

it('says what it would send and sends nothing, for a dry run and for a plan', async () => {
  const before = await nonces();
  const planned = await json('collect', '--merchant', merchant, '--dry-run');
  expect(planned.map(({ network, asset, addresses }) => [network, asset, addresses])).toEqual([
    ['ethereum', 'ETH', 250],
    ['ethereum', 'ETH', 10],
    ['ethereum', 'USDC', 80],
    ['ethereum', 'USDT', 60],
    ['polygon', 'POL', 60],
    ['polygon', 'USDC', 40],
  ]);
  const place = ['--merchant', merchant, '--network', 'polygon', '--asset', 'USDC'];
  const [plan, ...more] = await json('plan', ...place);
  expect(more).toEqual([]);
  expect(Object.keys(plan!)).toEqual(['chainId', 'to', 'data', 'value', 'amount', 'addresses']);
  expect(plan).toMatchObject({ chainId: 31338, value: '0', amount: '200' });
  expect(await text('plan', ...place)).toContain('200 USDC on Polygon in 1 transaction, about 0.');
  expect(await nonces()).toEqual(before);
});

it('is told of a network, an asset or a merchant that is none, and of those that are', async () => {
  const of = ['--merchant', merchant];
  for (const words of [
    ['collect', ...of, '--network', 'etherum', '--dry-run'],
    ['collect', ...of, '--network', 'polygon', '--asset', 'USDT', '--dry-run'],
    ['plan', ...of, '--network', 'etherum', '--asset', 'USDC'],
  ])
    await expect(text(...words)).rejects.toThrow('ethereum (ETH, USDC, USDT); polygon (POL, USDC)');
  const nobody = ['--merchant', 'mer_01kdk4ew8m7h3n9t2x6c5b8v4q'];
  for (const words of [
    ['show', ...nobody],
    ['collect', ...nobody, '--dry-run'],
    ['plan', ...nobody, '--network', 'ethereum', '--asset', 'USDC'],
  ])
    await expect(text(...words)).rejects.toMatchObject({ code: 'merchant-not-found' });
});

const sent: Hex[] = [];

it('shows what remains when it is interrupted after one of two transactions', async () => {
  const plan = await treasury.plan(merchant, 'ethereum', 'ETH');
  const interrupted = collections.collect(plan, GAS_KEY, (_, txid, mined) => {
    if (!mined) return;
    sent.push(txid);
    throw new Error('the machine went down');
  });
  await expect(interrupted).rejects.toThrow('went down');
  const { transactions, collectedMeanwhile } = await treasury.plan(merchant, 'ethereum', 'ETH');
  expect(transactions.map(({ addresses }) => addresses.length)).toEqual([10]);
  // By the newest block, whatever is recorded by now.
  expect([0, 250]).toContain(collectedMeanwhile);
});

it('collects all 500 in six transactions, each within what a transaction may use', async () => {
  const file = ['--key-file', join(keys, 'key')];
  const done = await json('collect', '--merchant', merchant, ...file);
  expect(
    done.map(({ hasSucceeded, network, asset, addresses }) => [hasSucceeded, network, asset, addresses]),
  ).toEqual([
    [true, 'ethereum', 'ETH', 10],
    [true, 'ethereum', 'USDC', 80],
    [true, 'ethereum', 'USDT', 60],
    [true, 'polygon', 'POL', 60],
    [true, 'polygon', 'USDC', 40],
  ]);
  expect(sent.length + done.length).toBe(6);
  const first = await anvils.ethereum.testClient.getTransactionReceipt({ hash: sent[0]! });
  for (const gas of [first.gasUsed, ...done.map(({ gasUsed }) => BigInt(gasUsed as string))])
    expect(gas).toBeLessThan((MOST_GAS * 95n) / 100n);
  const { ethereum, polygon } = anvils;
  const token = ({ testClient, tokens }: TestAnvil, symbol: 'USDC' | 'USDT') =>
    testClient.readContract({
      address: tokens[symbol].address,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [DESTINATION],
    });
  expect(await ethereum.testClient.getBalance({ address: DESTINATION })).toBe(260n * COIN_ATOMS);
  expect(await polygon.testClient.getBalance({ address: DESTINATION })).toBe(60n * COIN_ATOMS);
  expect(await token(ethereum, 'USDC')).toBe(80n * TOKEN_ATOMS);
  expect(await token(ethereum, 'USDT')).toBe(60n * TOKEN_ATOMS);
  expect(await token(polygon, 'USDC')).toBe(40n * TOKEN_ATOMS);
  // At once: the node says so, before a block is recorded here.
  const before = await nonces();
  expect(await json('collect', '--merchant', merchant, ...file)).toEqual([]);
  expect(await nonces()).toEqual(before);
});

it('tells of each transaction what became of it, and of a second one that it moved nothing', async () => {
  const state = async (txid: Hex, merchantId = merchant) =>
    (await collections.sent(merchantId, 'ethereum', txid)).state;
  await eventually(
    async () => (await treasury.rows(merchant)).filter((row) => row.state === 'collected').length,
    (count) => count === 500,
    60_000,
  );
  expect(await collections.sent(merchant, 'ethereum', sent[0]!)).toEqual({
    state: 'final',
    amounts: [{ asset: 'ETH', ...amountOf('2.5', 18) }],
    unpaid: [],
  });
  expect(await lying()).toEqual([]);
  const { testClient } = anvils.ethereum;
  const data = (await testClient.getTransaction({ hash: sent[0]! })).input;
  const to = (await testClient.getTransaction({ hash: sent[0]! })).to!;
  const again = await testClient.sendTransaction({ account: PAYER, to, data });
  const fails = await testClient.sendTransaction({ account: PAYER, to, data, gas: 1_000_000n });
  expect(
    await eventually(
      () => state(again),
      (one) => one !== 'waiting',
      60_000,
    ),
  ).toBe('nothing');
  expect(
    await eventually(
      () => state(fails),
      (one) => one !== 'waiting',
      60_000,
    ),
  ).toBe('failed');
  expect(await state(`0x${'07'.repeat(32)}`)).toBe('waiting');
});

it('collects again what comes late, for less gas, and refuses what is no key', async () => {
  await pay('ethereum', 'ETH', issued[0]!.address);
  await eventually(
    async () => (await lying()).length,
    (count) => count > 0,
    60_000,
  );
  const [row] = await treasury.lying(merchant, 'CHF');
  expect(row).toMatchObject({ addresses: 1, atoms: COIN_ATOMS, cost: { gas: 45_500n } });
  writeFileSync(join(keys, 'wrong'), 'legal winner thank year\n');
  const refused = text('collect', '--merchant', merchant, '--key-file', join(keys, 'wrong'));
  await expect(refused).rejects.toMatchObject({ code: 'collecting-failed' });
  await expect(refused).rejects.not.toThrow('legal');
  const done = await json('collect', '--merchant', merchant, '--key-file', join(keys, 'key'));
  expect(done).toMatchObject([{ asset: 'ETH', addresses: 1, hasSucceeded: true }]);
});

it('plans how to collect what came for payments that the database has forgotten, by their ids alone', async () => {
  const [lost, other] = [newId('pi'), newId('pi')];
  const picked = { subject: lost, network: 'ethereum', asset: 'ETH' };
  const address = forwarderAddress(DESTINATION, depositSalt(picked));
  // The buyer took another network and asset than they had picked.
  await pay('polygon', 'USDC', address);
  const plan = (asset: string, ...payments: string[]) =>
    json(
      'plan',
      '--merchant',
      merchant,
      '--network',
      'polygon',
      '--asset',
      asset,
      '--payments',
      payments.join(),
    );
  const [call, ...more] = await eventually(
    () => plan('USDC', other, lost),
    ({ length }) => length > 0,
    60_000,
  );
  expect([call, more]).toMatchObject([{ amount: '5', addresses: [address], value: '0' }, []]);
  // As a person types it, or joins two lists: an address holds what it holds once.
  expect(await plan('USDC', lost, `${other}, ${lost}`, ` ${lost}`)).toEqual([call]);
  expect(await plan('POL', lost)).toEqual([]);
  expect(await plan('USDC', other)).toEqual([]);
  await expect(plan('USDC', lost.slice(1))).rejects.toThrow('is no payment');
  const { USDC } = anvils.polygon.tokens;
  const balanceOf = (of: Address) =>
    anvils.polygon.testClient.readContract({
      address: USDC.address,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [of],
    });
  const before = await balanceOf(DESTINATION);
  const { to, data } = call as { to: Address; data: Hex };
  await rpc(anvils.polygon.rpcUrl, 'eth_sendTransaction', [{ from: PAYER, to, data, gas: '0x7a120' }]);
  await eventually(
    () => balanceOf(DESTINATION),
    (atoms) => atoms === before + TOKEN_ATOMS,
    60_000,
  );
  expect(await plan('USDC', lost)).toEqual([]);
});

it('sends nothing to where the contract that collects is not', async () => {
  const nowhere = privateKeyToAddress(generatePrivateKey());
  const call = { to: nowhere, data: '0x', gas: 100_000n } as const;
  const sent: Hex[] = [];
  const sending = chains.app
    .get(CollectingService)
    .send('ethereum', GAS_KEY, call, (txid) => sent.push(txid));
  await expect(sending).rejects.toMatchObject({ code: 'collecting-failed' });
  await expect(sending).rejects.toThrow('is not on Ethereum yet');
  expect(sent).toEqual([]);
});

it('leaves the ledger like the chains', async () => {
  await eventually(
    async () => (await lying()).length,
    (count) => count === 0,
    60_000,
  );
  await expectChainClean(chains.app);
});
