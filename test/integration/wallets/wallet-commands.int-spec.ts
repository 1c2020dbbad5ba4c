import { PassThrough } from 'node:stream';
import type { Address, Hex } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { depositSalt, forwarderAddress } from '../../../src/modules/chains/domain/forwarder-address.js';
import { forwarderFactory } from '../../../src/modules/chains/forwarders.types.js';
import { FactoryService } from '../../../src/modules/chains/forwarders/factory.service.js';
import { type Chains, evmNetwork, startChains } from '../../chain/chains-fixture.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { xpubOf } from '../../support/nodes/wallet.js';
import { commandLine, commandsOf, printed } from '../../support/service/command-line.js';

/** Anvil's fourth account, which holds coin. */
const FUNDED: Hex = '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6';
const SAFE: Address = '0x5afe5afE5afE5afE5afE5aFe5aFe5Afe5Afe5AfE';
const PLAIN: Address = '0x0707070707070707070707070707070707070707';

const STDIN = Object.getOwnPropertyDescriptor(process, 'stdin')!;

let database: TestDatabase;
let anvil: TestAnvil;
let chains: Chains;
let merchant: string;

const place = () => ({ databaseUrl: database.url, rpcUrl: anvil.rpcUrl, tokens: anvil.tokens });
const json = async (noun: string, ...words: string[]) =>
  commandLine(place(), await commandsOf(noun), noun, ...words);
const text = async (noun: string, ...words: string[]) =>
  printed(place(), await commandsOf(noun), noun, ...words);
const wallet = (...words: string[]) =>
  ['set', '--merchant', merchant, '--network', 'ethereum', ...words] as const;

beforeAll(async () => {
  [database, anvil] = await Promise.all([createTestDatabase(), startTestAnvil({ automine: true })]);
  const unreachable = evmNetwork('http://127.0.0.1:9/secret-of-the-node', [], { id: 'down', chainId: 5 });
  chains = await startChains(database.url, [evmNetwork(anvil.rpcUrl, []), unreachable]);
  merchant = (await json('merchant', 'create', '--name', 'Shop', '--approved'))['id'] as string;
  await anvil.testClient.setCode({ address: SAFE, bytecode: '0x6001' });
});
afterAll(async () => {
  await chains.app.close();
  await anvil.stop();
  await database.drop();
});

const codeOfFactory = () => anvil.testClient.getCode({ address: forwarderFactory.address });
const deploy = (key: string | null, network = 'ethereum') =>
  chains.app.get(FactoryService, { strict: false }).deployment(network, key);

it('`wallet set --address` says what is there, what is missing, and how to verify', async () => {
  const said = await text('wallet', ...wallet('--address', SAFE.toLowerCase()));
  expect(said).toContain('It is a contract, such as a Safe.');
  expect(said).toContain('rappen contracts deploy --network ethereum');
  const salt = depositSalt({ subject: 'pi_example', network: 'ethereum', asset: 'USDC' });
  expect(said).toContain(`keccak256("pi_example/ethereum/USDC") = ${salt}`);
  expect(said).toContain(forwarderAddress(SAFE, salt));
  expect(await json('wallet', ...wallet('--address', PLAIN))).toMatchObject({
    kind: 'address',
    merchantId: merchant,
    network: 'ethereum',
    destination: PLAIN,
    changes: 2,
    account: 'plain',
    isFactoryDeployed: false,
    recipe: { destination: PLAIN, saltOf: 'pi_example/ethereum/USDC' },
  });
});

it('`wallet set` wants one of the two', async () => {
  await expect(text('wallet', ...wallet())).rejects.toThrow('either the --address');
  const both = ['--address', PLAIN, '--xpub', xpubOf('shop')];
  await expect(text('wallet', ...wallet(...both))).rejects.toThrow('either the --address');
});

it('`contracts deploy` sends nothing without a key, refuses what is none, and repeats none', async () => {
  const unfunded = generatePrivateKey();
  for (const key of ['seed words', unfunded]) {
    const refused = deploy(key);
    await expect(refused).rejects.toMatchObject({ code: 'deployment-failed' });
    await expect(refused).rejects.not.toThrow(key.replace('0x', ''));
  }
  const down = deploy(null, 'down');
  await expect(down).rejects.toMatchObject({ code: 'deployment-failed' });
  await expect(down).rejects.not.toThrow('secret-of-the-node');
  const printedOnly = await json('contracts', 'deploy', '--network', 'ethereum');
  expect(printedOnly).toMatchObject({ chainId: 31337, value: '0', isDeployed: false, sent: null });
  expect(await codeOfFactory()).toBeUndefined();
});

/** Runs `work` with somebody who types a line, or a file that is piped in. @returns what standard error showed */
async function typing(line: string, isTTY: boolean, work: () => Promise<void>): Promise<string> {
  const stdin = Object.defineProperty(process, 'stdin', {
    value: Object.assign(new PassThrough(), { isTTY }),
    configurable: true,
  }).stdin as unknown as PassThrough;
  const shown: string[] = [];
  const spy = jest.spyOn(process.stderr, 'write').mockImplementation((text) => shown.push(String(text)) > 0);
  stdin.end(`${line}\n`);
  try {
    await work();
  } finally {
    spy.mockRestore();
    Object.defineProperty(process, 'stdin', STDIN);
  }
  return shown.join('');
}

it.each([
  ['at a terminal, where it asks and shows nothing of it', true],
  ['from a file', false],
])('`contracts deploy --send` takes the key %s', async (_, isTTY) => {
  const { testClient } = anvil;
  const before = await testClient.snapshot();
  const said: string[] = [];
  const shown = await typing(FUNDED, isTTY, async () => {
    said.push(await text('contracts', 'deploy', '--network', 'ethereum', '--send'));
  });
  expect(said[0]).toMatch(/^Deployed 0x[0-9a-fA-F]{40} by 0x[0-9a-f]{64}\.\n$/);
  expect(shown).toBe(isTTY ? 'Private key of an account that pays the gas: \n' : '');
  expect((await codeOfFactory())?.length).toBeGreaterThan(1_000);
  await testClient.revert({ id: before });
  expect(await codeOfFactory()).toBeUndefined();
});

it('`contracts deploy` prints a transaction that any wallet may send, or sends it, and does it once', async () => {
  const { to, data } = await json('contracts', 'deploy', '--network', 'ethereum');
  const { testClient } = anvil;
  const before = await testClient.snapshot();
  const [account] = await testClient.getAddresses();
  await testClient.sendTransaction({ account: account!, to: to as Address, data: data as Hex });
  expect((await codeOfFactory())?.length).toBeGreaterThan(1_000);
  await testClient.revert({ id: before });

  const { sent } = await deploy(FUNDED);
  expect(await testClient.getTransactionReceipt({ hash: sent! })).toMatchObject({ status: 'success' });
  expect((await codeOfFactory())?.length).toBeGreaterThan(1_000);
  expect(await deploy(FUNDED)).toMatchObject({ isDeployed: true, sent: null });
  expect(await text('contracts', 'deploy', '--network', 'ethereum')).toContain('there already');
});
