import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, type Hex, parseAbi, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { sandboxEthereum } from '../../../src/config/networks.js';
import { CollectingService } from '../../../src/modules/chains/forwarders/collecting.service.js';
import { HoldingsService } from '../../../src/modules/chains/forwarders/holdings.service.js';
import { NetworkHealthService } from '../../../src/modules/chains/network-health.service.js';
import { AssetDecimals } from '../../../src/modules/chains/networks/asset-decimals.service.js';
import { NetworksService } from '../../../src/modules/chains/networks/networks.service.js';
import { DestinationsService } from '../../../src/modules/chains/wallets/destinations.service.js';
import { CollectionsService } from '../../../src/modules/treasury/collections.service.js';
import { TreasuryService } from '../../../src/modules/treasury/treasury.service.js';
import type { SentCollection, Unpaid } from '../../../src/modules/treasury/treasury.types.js';
import { unpaidSentence, unpaidText } from '../../../src/modules/treasury/unpaid-text.pure.js';
import { type Chains, createMerchant, MERCHANT, startChains } from '../../chain/chains-fixture.js';
import { compileContracts } from '../../chain/contracts.js';
import { ANYBODY, deployFactory, PAYER, send, transfer } from '../../chain/forwarders/collecting.js';
import { REFUSALS } from '../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { amountOf } from '../../support/intents/amount.js';
import { by } from '../../support/intents/by.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { expectChainClean } from '../../support/nodes/chain-check.js';
import { eventually } from '../../support/servers/receiver.js';
import { commandsOf, printed } from '../../support/service/command-line.js';

/** Anvil's fourth account. */
const GAS_KEY: Hex = '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6';
const DESTINATION = privateKeyToAddress(generatePrivateKey());
const FREEZE = parseAbi(['function freeze(address holder, bool frozen)']);
/** What a node says that keeps the states of few blocks, or is a block behind the one that mined. */
const CANNOT_TELL = {
  methods: ['eth_call'],
  asking: ({ params }: { params: readonly unknown[] }) => /^0x/.test(String(params[1])),
  fault: REFUSALS.pruned,
};

let database: TestDatabase;
let anvil: TestAnvil;
let node: HostileNode;
let chains: Chains;
let treasury: TreasuryService;
let collections: CollectionsService;
let token: Address;
let keys: string;
let subjects = 0;

beforeAll(async () => {
  keys = mkdtempSync(join(tmpdir(), 'rappen-gas-'));
  writeFileSync(join(keys, 'key'), `${GAS_KEY}\n`, { mode: 0o600 });
  [database, anvil] = await Promise.all([createTestDatabase(), startTestAnvil({ blockTimeS: 1 })]);
  node = await HostileNode.start(anvil.rpcUrl);
  await deployFactory(anvil.rpcUrl);
  const { bytecode, abi } = compileContracts().freezingToken;
  const hash = await anvil.testClient.deployContract({ account: PAYER, abi, bytecode, args: [] });
  token = (await anvil.testClient.waitForTransactionReceipt({ hash })).contractAddress!;
  chains = await startChains(database.url, [
    sandboxEthereum(node.url, { USDC: token, USDT: anvil.tokens.USDT.address }),
  ]);
  await createMerchant(chains.dataSource);
  const inside = <T>(type: abstract new (...args: never[]) => T): T =>
    chains.app.get(type, { strict: false });
  const parts = [
    inside(NetworksService),
    inside(AssetDecimals),
    inside(HoldingsService),
    inside(CollectingService),
  ] as const;
  treasury = new TreasuryService(...parts, { rate: () => null } as never);
  collections = new CollectionsService(inside(NetworkHealthService), ...parts);
  await inside(DestinationsService).set(
    { merchantId: MERCHANT, network: 'ethereum', address: DESTINATION },
    by('test'),
  );
  chains.jobs.start();
});
afterEach(() => node.honest());
afterAll(async () => {
  await chains?.app.close();
  await node?.stop();
  await anvil?.stop();
  await database?.drop();
  rmSync(keys, { recursive: true });
});

const mined = (call: Parameters<typeof send>[2]) => send(anvil.rpcUrl, PAYER, call);
const freeze = (address: Address, frozen: boolean) =>
  anvil.testClient
    .writeContract({
      account: PAYER,
      address: token,
      abi: FREEZE,
      functionName: 'freeze',
      args: [address, frozen],
    })
    .then((hash) => anvil.testClient.waitForTransactionReceipt({ hash }));

/** So many deposits of an asset, as the watcher has recorded them. */
async function deposits(asset: 'ETH' | 'USDC', count: number): Promise<Address[]> {
  const issued: Address[] = [];
  for (let i = 0; i < count; i += 1) {
    const wanted = {
      merchantId: MERCHANT,
      network: 'ethereum',
      asset,
      subject: `pi_unpaid${(subjects += 1)}`,
      confirmationDepth: 1,
    };
    const { address } = await chains.dataSource.transaction((tx) => chains.addresses.issue(tx, wanted));
    issued.push(address as Address);
    if (asset === 'ETH') await mined({ to: address as Address, value: parseEther('0.01') });
    else await mined(transfer(token, address as Address, 2_500_000n));
  }
  const recorded = async () => (await treasury.rows(MERCHANT)).map(({ address }) => address);
  await eventually(recorded, (all) => issued.every((one) => all.includes(one)));
  return issued;
}

/** `treasury collect` as a person and as a program sees it. */
async function collect(...words: string[]) {
  const told: string[] = [];
  const stderr = jest
    .spyOn(process.stderr, 'write')
    .mockImplementation((text) => told.push(String(text)) > 0);
  const place = {
    databaseUrl: database.url,
    rpcUrl: node.url,
    tokens: { ...anvil.tokens, USDC: { address: token } },
  };
  const line = ['collect', '--merchant', MERCHANT, '--network', 'ethereum', '--key-file', join(keys, 'key')];
  try {
    const text = await printed(place, await commandsOf('treasury'), 'treasury', ...line, ...words);
    return { text, told: told.join(''), code: process.exitCode };
  } finally {
    stderr.mockRestore();
    process.exitCode = 0;
  }
}
const sent = (txid: Hex) => collections.sent(MERCHANT, 'ethereum', txid);
const became = (txid: Hex, state: SentCollection['state']) =>
  eventually(
    () => sent(txid),
    (one) => one.state === state,
    60_000,
  );
const usdc = (address: Address): Unpaid => ({ address, asset: 'USDC', atoms: 2_500_000n, decimals: 6 });
const inOrder = (unpaid: readonly Unpaid[] | null) =>
  unpaid && [...unpaid].sort((a, b) => a.address.localeCompare(b.address));

it('says which of them did not pay out, and pays the others of the batch and of other assets', async () => {
  const [frozen, other] = await deposits('USDC', 2);
  const [coin] = await deposits('ETH', 1);
  await freeze(frozen!, true);
  const { text, told, code } = await collect('--json');
  expect(code).toBe(1);
  const done = JSON.parse(text) as { asset: string; txid: Hex; addresses: number; unpaid: unknown }[];
  expect(done).toMatchObject([
    { asset: 'ETH', addresses: 1, hasSucceeded: true, unpaid: [] },
    { asset: 'USDC', addresses: 2, hasSucceeded: true, unpaid: [{ address: frozen, amount: '2.5' }] },
  ]);
  expect(told).toContain('One address with 2.5 USDC did not pay out');
  expect(told).toContain(`  ${frozen}: 2.5 USDC`);
  for (const paid of [other!, coin!]) expect(told).not.toContain(`  ${paid}`);
  expect(await became(done[0]!.txid, 'final')).toMatchObject({
    amounts: [{ asset: 'ETH', ...amountOf('0.01', 18) }],
    unpaid: [],
  });
  expect(await became(done[1]!.txid, 'final')).toMatchObject({
    amounts: [{ asset: 'USDC', ...amountOf('2.5', 6) }],
    unpaid: [usdc(frozen!)],
  });
});

it('calls it no success, and not collected before, where nothing paid out', async () => {
  const [frozen] = (await treasury.plan(MERCHANT, 'ethereum', 'USDC')).transactions[0]!.addresses;
  const [more] = await deposits('USDC', 1);
  await freeze(more!, true);
  const { text, told, code } = await collect();
  expect(code).toBe(1);
  expect(text).toContain('2 addresses with 5 USDC');
  const txid = /0x[0-9a-f]{64}/.exec(text)![0] as Hex;
  expect(told).toContain('2 addresses with 5 USDC did not pay out');
  const { amounts, unpaid } = await became(txid, 'nothing');
  expect(amounts).toEqual([]);
  expect(inOrder(unpaid)).toEqual(inOrder([usdc(frozen!), usdc(more!)]));
  expect(unpaidText(unpaid)).toBe('2 addresses with 5 USDC');
});

it('never takes for a success what the node cannot tell afterwards', async () => {
  node.plan([CANNOT_TELL]);
  const { text, told, code } = await collect('--json');
  expect(code).toBe(1);
  const [{ txid, hasSucceeded, unpaid } = {} as never] = JSON.parse(text) as Record<string, never>[];
  expect({ hasSucceeded, unpaid }).toEqual({ hasSucceeded: true, unpaid: null });
  expect(told).toContain('What still lies there is not known');
  node.honest();
  await became(txid!, 'nothing');
  node.plan([CANNOT_TELL]);
  expect(await sent(txid!)).toEqual({ state: 'nothing', amounts: [], unpaid: null });
  node.plan([{ methods: ['eth_getTransactionByHash'], fault: { kind: 'forget' } }]);
  expect(unpaidSentence((await sent(txid!)).unpaid)).toContain('not known');
  node.honest();
  expect((await sent(txid!)).unpaid).toHaveLength(2);
});

it('pays out what was frozen once it is not, and tells a second collection from one that nobody paid', async () => {
  const plan = await treasury.plan(MERCHANT, 'ethereum', 'USDC');
  const [transaction] = plan.transactions;
  for (const address of transaction!.addresses) await freeze(address, false);
  // Somebody else is faster than the transaction that was planned.
  expect(await send(anvil.rpcUrl, ANYBODY, { to: transaction!.to, data: transaction!.data })).toMatchObject({
    status: '0x1',
  });
  const told: [Hex, readonly Unpaid[] | null][] = [];
  await collections.collect(plan, GAS_KEY, (_, txid, done) => done && told.push([txid, done.unpaid]));
  expect(told).toEqual([[expect.stringMatching(/^0x/), []]]);
  expect(await became(told[0]![0], 'nothing')).toEqual({ state: 'nothing', amounts: [], unpaid: [] });
  // What comes afterwards did not refuse.
  await mined(transfer(token, transaction!.addresses[0]!, 1n));
  expect(await sent(told[0]![0])).toEqual({ state: 'nothing', amounts: [], unpaid: [] });
  expect(await collect('--json', '--asset', 'ETH')).toMatchObject({ text: '[]\n', code: 0 });
});

it('gives a first collection what the factory wants, also where the node does not estimate', async () => {
  for (const asset of ['ETH', 'USDC'] as const) {
    await deposits(asset, 1);
    node.plan([{ methods: ['eth_estimateGas'], fault: REFUSALS.noMethod }]);
    const { text, code } = await collect('--json', '--asset', asset);
    node.honest();
    expect([code, JSON.parse(text)]).toMatchObject([0, [{ asset, hasSucceeded: true, unpaid: [] }]]);
  }
});

it('leaves the ledger like the chain', () => expectChainClean(chains.app));
