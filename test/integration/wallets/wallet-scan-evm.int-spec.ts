import { DataSource } from 'typeorm';
import { type Address, parseEther } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { deriveAddress } from '../../../src/modules/chains/domain/addresses/derive-address.js';
import { isAnswered } from '../../../src/modules/chains/domain/wallet-scan.js';
import { EvmHistory } from '../../../src/modules/chains/reconciliation/evm/history.js';
import { Pace } from '../../../src/modules/chains/reconciliation/pace.js';
import { EvmUsage } from '../../../src/modules/chains/wallets/scan/evm-usage.js';
import { WalletScanner, WHILE_SETTING } from '../../../src/modules/chains/wallets/scan/wallet-scanner.js';
import { WalletSearchService } from '../../../src/modules/chains/wallets/wallet-search.service.js';
import { anvilAccount } from '../../../src/modules/sandbox/local/evm/tokens.js';
import {
  accountXpub,
  type Chains,
  createMerchant,
  ERC20,
  evmNetwork,
  MERCHANT,
  startChains,
} from '../../chain/chains-fixture.js';
import { REFUSALS } from '../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { by } from '../../support/intents/by.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { HeldTimers } from '../../support/run/held-timers.js';
import { eventually } from '../../support/servers/receiver.js';

const OTHER_CHAIN = 31_338;
/** For which an honest node may take any time: on a busy machine it needs more than somebody would wait. */
const FAR_MS = 4_000_000;
/** After which one question to a node's history is given up. */
const HISTORY_TIMEOUT_MS = 30_000;
/** The account whose first ten addresses hold anvil's coins. */
const ANVIL_XPUB = mnemonicToAccount('test test test test test test test test test test test junk', {
  path: "m/44'/60'/0'",
}).getHdKey().publicExtendedKey;

let database: TestDatabase;
let chains: Chains;
let anvil: TestAnvil;
let polygon: TestAnvil;
let proxy: HostileNode;
let scanner: WalletScanner;
let limit: { restore(): void };

beforeAll(async () => {
  limit = jest.replaceProperty(WHILE_SETTING, 'timeoutMs', FAR_MS);
  [database, anvil, polygon] = await Promise.all([
    createTestDatabase(),
    startTestAnvil({ automine: true }),
    startTestAnvil({ automine: true, chainId: OTHER_CHAIN }),
  ]);
  proxy = await HostileNode.start(polygon.rpcUrl);
  const assets = [
    { symbol: 'ETH', decimals: 18, contract: null, dustAtoms: 1n },
    { symbol: 'USDC', decimals: 6, contract: anvil.tokens.USDC.address, dustAtoms: 1n },
  ];
  chains = await startChains(database.url, [
    evmNetwork(anvil.rpcUrl, assets),
    evmNetwork(proxy.url, assets, { id: 'polygon', name: 'Polygon', chainId: OTHER_CHAIN }),
  ]);
  scanner = chains.app.get(WalletScanner, { strict: false });
  await createMerchant(chains.dataSource);
});
beforeEach(() => proxy.honest());
afterAll(async () => {
  limit.restore();
  await chains?.app.close();
  await proxy?.stop();
  await Promise.all([anvil?.stop(), polygon?.stop(), database?.drop()]);
});

let account = 10;
/** A key that nobody knows yet. */
const freshKey = () => accountXpub((account += 1));
const addressOf = (xpub: string, index: number) =>
  deriveAddress({ family: 'evm' }, xpub, index).address as Address;
const set = (xpub: string) =>
  chains.extendedKeys.set({ merchantId: MERCHANT, network: 'ethereum', xpub }, by('test'));
const scan = (xpub: string, limits = {}) =>
  scanner.scan({ family: 'evm', xpub, from: 0 }, { ...WHILE_SETTING, ...limits });

async function pay(node: TestAnvil, address: Address, value = parseEther('1')): Promise<void> {
  const hash = await node.testClient.sendTransaction({
    account: anvilAccount(4).address,
    to: address,
    value,
  });
  await node.testClient.waitForTransactionReceipt({ hash });
}

async function payToken(node: TestAnvil, address: Address): Promise<void> {
  const { address: token } = node.tokens.USDC;
  const call = {
    account: anvilAccount(4).address,
    address: token,
    abi: ERC20,
    functionName: 'transfer',
  } as const;
  const hash = await node.testClient.writeContract({ ...call, args: [address, 5n] });
  await node.testClient.waitForTransactionReceipt({ hash });
}

/** Whatever an address holds goes on, to the last atom. */
async function sweep(node: TestAnvil, address: Address): Promise<void> {
  const { testClient } = node;
  await testClient.impersonateAccount({ address });
  const gasPrice = 2n * (await testClient.getGasPrice());
  const value = (await testClient.getBalance({ address })) - 21_000n * gasPrice;
  const hash = await testClient.sendTransaction({
    account: address,
    to: anvilAccount(6).address,
    value,
    gas: 21_000n,
    gasPrice,
  });
  await testClient.waitForTransactionReceipt({ hash });
  expect(await testClient.getBalance({ address })).toBe(0n);
}

it('begins behind all that was ever used: coin and tokens that lie there, and coin that was moved on to the last atom', async () => {
  const xpub = freshKey();
  await pay(anvil, addressOf(xpub, 3));
  await payToken(anvil, addressOf(xpub, 60));
  await pay(anvil, addressOf(xpub, 150));
  await sweep(anvil, addressOf(xpub, 150));
  const { nextIndex, scan: found } = await set(xpub);
  expect(nextIndex).toBe(151);
  expect(found.used).toEqual([
    {
      index: 3,
      network: 'ethereum',
      address: addressOf(xpub, 3),
      holdings: [{ asset: 'ETH', atoms: parseEther('1') }],
    },
    {
      index: 60,
      network: 'ethereum',
      address: addressOf(xpub, 60),
      holdings: [{ asset: 'USDC', atoms: 5n }],
    },
    { index: 150, network: 'ethereum', address: addressOf(xpub, 150), holdings: [] },
  ]);
  expect(found).toMatchObject({ from: 0, to: 251, isCutShort: false });
  const issued = await chains.dataSource.transaction((tx) =>
    chains.addresses.issue(tx, {
      merchantId: MERCHANT,
      network: 'ethereum',
      asset: 'ETH',
      subject: 'pi_first',
      confirmationDepth: 1,
    }),
  );
  expect(issued.address).toBe(addressOf(xpub, 151));
});

it('takes what its owner had before for nobody’s difference', async () => {
  const [key] = await chains.app
    .get(DataSource)
    .query<[{ first_index: number }]>(`SELECT first_index FROM extended_key WHERE next_index = 152`);
  expect(key.first_index).toBe(151);
});

it('asks all networks of the family, for an address is the same on each', async () => {
  const xpub = freshKey();
  await payToken(polygon, addressOf(xpub, 5));
  const { nextIndex, scan: found } = await set(xpub);
  expect(nextIndex).toBe(6);
  expect(found.used).toMatchObject([{ index: 5, network: 'polygon' }]);
});

it('finds the wallet that somebody uses by hand', async () => {
  expect((await set(ANVIL_XPUB)).nextIndex).toBe(10);
});

it('shows in the preview what it will do, and changes nothing', async () => {
  const xpub = freshKey();
  await pay(anvil, addressOf(xpub, 1));
  const preview = await chains.extendedKeys.preview({ merchantId: MERCHANT, network: 'ethereum', xpub });
  expect([preview.nextIndex, preview.isSet]).toEqual([2, false]);
  expect(chains.extendedKeys.told(preview.scan)).toEqual({
    isAnswered: true,
    sentences: [expect.stringContaining('The last used index is 1 (on Ethereum)')],
  });
});

it('goes on behind what was used since, when the same key is set again', async () => {
  const xpub = freshKey();
  expect((await set(xpub)).nextIndex).toBe(0);
  await pay(anvil, addressOf(xpub, 4));
  expect((await set(xpub)).nextIndex).toBe(5);
  expect((await set(xpub)).nextIndex).toBe(5);
});

it.each([
  ['refuses', { fault: { kind: 'cut' } }, /does not answer/],
  [
    'serves another chain',
    { methods: ['eth_chainId'], fault: { kind: 'lie', name: 'chain', lie: () => '0x1' } },
    /serves chain 1/,
  ],
] as const)('sets the wallet while a node %s, and says so', async (_, fault, reason) => {
  proxy.plan([fault]);
  const xpub = freshKey();
  await pay(anvil, addressOf(xpub, 2));
  const { nextIndex, scan: found } = await set(xpub);
  expect(nextIndex).toBe(3);
  const [ethereum, other] = found.networks;
  expect(ethereum).toEqual({ network: 'ethereum', reason: null, untold: [] });
  expect(other!.reason).toMatch(reason);
  const { isAnswered, sentences } = chains.extendedKeys.told(found);
  expect(isAnswered).toBe(false);
  expect(sentences).toContainEqual(expect.stringContaining('Polygon was not asked to the end'));
});

it('issues nothing on a network whose node has not answered, and goes on by itself behind what it then tells', async () => {
  const search = chains.app.get(WalletSearchService, { strict: false });
  const setOn = (network: string) =>
    chains.extendedKeys.set({ merchantId: MERCHANT, network, xpub }, by('test'));
  const issue = (network: string) =>
    chains.dataSource.transaction((tx) =>
      chains.addresses.issue(tx, {
        merchantId: MERCHANT,
        network,
        asset: 'ETH',
        subject: 'pi_unsearched',
        confirmationDepth: 1,
      }),
    );
  const waiting = async () => (await chains.health.all()).map(({ unsearchedWallets }) => unsearchedWallets);
  const xpub = freshKey();
  await pay(polygon, addressOf(xpub, 7));
  proxy.plan([{ fault: { kind: 'cut' } }]);
  expect((await setOn('polygon')).isSearched).toBe(false);
  expect((await setOn('ethereum')).isSearched).toBe(true);
  expect((await issue('ethereum')).address).toBe(addressOf(xpub, 0));
  for (let i = 0; i < 2; i++) {
    await expect(issue('polygon')).rejects.toMatchObject({ code: 'wallet-unsearched' });
    expect((await search.step('evm')).hasSilent).toBe(true);
  }
  expect(await waiting()).toEqual([0, 1]);
  proxy.honest();
  // What is found on one network moves the end that all are searched up to: they are, in the next step.
  while ((await search.step('evm')).hasMore);
  expect((await issue('polygon')).address).toBe(addressOf(xpub, 8));
  expect((await issue('ethereum')).address).toBe(addressOf(xpub, 9));
  expect(await waiting()).toEqual([0, 0]);
});

it('waits for no node longer than it was allowed to, and asks the others to the end', async () => {
  proxy.plan([{ fault: { kind: 'hang', ms: Infinity } }]);
  const xpub = freshKey();
  await pay(anvil, addressOf(xpub, 99));
  let heard = 0;
  const { of } = EvmUsage.prototype;
  const usage = jest.spyOn(EvmUsage.prototype, 'of').mockImplementation(function (this: EvmUsage, ...asked) {
    return of.apply(this, asked).finally(() => (heard += 1));
  });
  const ofScan = (ms: number) => ms > FAR_MS / 10 && ms <= FAR_MS;
  // By hand, and a node's own not at all: a machine that stands still reaches a real one before it has heard an honest node.
  const deadlines = new HeldTimers((ms) => ofScan(ms) || ms === HISTORY_TIMEOUT_MS);
  try {
    const scanning = scan(xpub);
    await eventually(
      () => heard,
      (networks) => networks === 1,
    );
    // The other half is for the others.
    expect(Math.max(...deadlines.come(ofScan))).toBeLessThanOrEqual(FAR_MS / 2);
    const found = await scanning;
    expect(found.networks).toMatchObject([{ reason: null }, { reason: 'no answer in time' }]);
    expect(found.to).toBe(200);
  } finally {
    deadlines.restore();
    usage.mockRestore();
  }
});

it('says what a node does not tell', async () => {
  proxy.plan([{ methods: ['eth_call'], fault: REFUSALS.noMethod }]);
  const { networks } = await scan(freshKey());
  expect(networks[1]!.untold).toEqual(['the coin and of what addresses have sent', 'USDC']);
});

it('takes no search for answered whose node has lost its newest state for a while', async () => {
  proxy.plan([{ methods: ['eth_call'], fault: REFUSALS.pruned }]);
  const found = await scan(freshKey());
  expect(found.networks[1]!.reason).not.toBeNull();
  expect(isAnswered(found)).toBe(false);
});

it('looks at no more indexes than it may, and says that there may be more', async () => {
  const xpub = freshKey();
  for (const index of [0, 4, 8]) await pay(anvil, addressOf(xpub, index));
  expect(await scan(xpub, { gap: 5, indexes: 12 })).toMatchObject({ to: 12, isCutShort: true });
  expect(await scan(xpub, { gap: 5, indexes: 14 })).toMatchObject({ to: 14, isCutShort: false });
});

it('tells an account that was never used from one that holds nothing any more, and from a contract', async () => {
  const history = new EvmHistory(anvil.rpcUrl, new Pace(1_000));
  const swept = addressOf(freshKey(), 0);
  await pay(anvil, swept);
  await sweep(anvil, swept);
  const asked = [swept, anvil.tokens.USDC.address, addressOf(freshKey(), 0), anvilAccount(0).address];
  expect(await history.accounts(asked, 'latest')).toEqual(['plain', 'code', 'none', 'plain']);
});
