import { type Abi, type Address, encodeFunctionData, type Hex } from 'viem';
import { DETERMINISTIC_DEPLOYER } from '../../../src/modules/chains/factory-deployment.types.js';
import { payoutWarnings } from '../../../src/modules/chains/wallets/destination-text.pure.js';
import { DestinationsService } from '../../../src/modules/chains/wallets/destinations.service.js';
import { anvilAccount } from '../../../src/modules/sandbox/local/evm/tokens.js';
import {
  BUYER,
  type Chains,
  createMerchant,
  evmNetwork,
  MERCHANT,
  startChains,
} from '../../chain/chains-fixture.js';
import { deployFactory } from '../../chain/forwarders/collecting.js';
import { compileWild, TOKEN_MODES, WALLET_MODES } from '../../chain/forwarders/wild-contracts.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { rpc } from '../../support/nodes/node-rpc.js';

const WALLET = anvilAccount(6).address;
const wild = compileWild();

let anvil: TestAnvil;
let database: TestDatabase;
let chains: Chains;
let token: Address;
let safe: Address;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  database = await createTestDatabase();
  token = await deployed(wild.token);
  safe = await deployed(wild.wallet);
  const assets = [
    { symbol: 'WILD', decimals: 6, contract: token, dustAtoms: 1n },
    { symbol: 'ETH', decimals: 18, contract: null, dustAtoms: 1n },
  ];
  chains = await startChains(database.url, [evmNetwork(anvil.rpcUrl, assets)]);
  await createMerchant(chains.dataSource);
});
afterAll(async () => {
  await chains?.app.close();
  await database?.drop();
  await anvil?.stop();
});

async function receiptOf(hash: Hex) {
  await anvil.testClient.mine({ blocks: 1 });
  return anvil.testClient.getTransactionReceipt({ hash });
}
async function deployed({ abi, bytecode }: { abi: Abi; bytecode: Hex }): Promise<Address> {
  const args = [BUYER];
  const hash = await anvil.testClient.deployContract({ account: BUYER, abi, bytecode, args });
  return (await receiptOf(hash)).contractAddress!;
}
async function told(contract: Address, functionName: string, args: readonly unknown[]): Promise<void> {
  const data = encodeFunctionData({ abi: wild.token.abi, functionName, args });
  await receiptOf(await anvil.testClient.sendTransaction({ account: BUYER, to: contract, data }));
}
const look = (address: Address) =>
  chains.app
    .get(DestinationsService, { strict: false })
    .preview({ merchantId: MERCHANT, network: 'ethereum', address });

it('says before money is taken what could not be paid out', async () => {
  expect(await look(WALLET)).toMatchObject({ account: 'plain', refused: [] });
  await told(token, 'set', [BigInt(TOKEN_MODES.indexOf('reverts'))]);
  expect(await look(WALLET)).toMatchObject({ refused: ['WILD'] });
  await told(safe, 'set', [BigInt(WALLET_MODES.indexOf('refuses'))]);
  const both = await look(safe);
  expect(both).toMatchObject({ account: 'contract', refused: ['WILD', 'ETH'] });
  expect(payoutWarnings(both, 'ethereum').join(' ')).toContain('WILD, ETH could not be paid out');
  await told(token, 'set', [0n]);
  await told(safe, 'set', [0n]);
  expect(await look(safe)).toMatchObject({ refused: [] });
});

it('says whether the collecting contract is there, and what would put it there', async () => {
  const code = await rpc<Hex>(anvil.rpcUrl, 'eth_getCode', [DETERMINISTIC_DEPLOYER, 'latest']);
  await rpc(anvil.rpcUrl, 'anvil_setCode', [DETERMINISTIC_DEPLOYER, '0x']);
  const bare = await look(WALLET);
  expect(bare).toMatchObject({ isFactoryDeployed: false, hasDeployer: false });
  const words = (seen: typeof bare) => payoutWarnings(seen, 'ethereum').join(' ');
  expect(words(bare)).toContain(
    `nor the deployer that it needs (${DETERMINISTIC_DEPLOYER}) is on this network`,
  );
  expect(words(bare)).toContain('Take no money here before');
  expect(words(bare)).not.toContain('Buyers can pay');
  await rpc(anvil.rpcUrl, 'anvil_setCode', [DETERMINISTIC_DEPLOYER, code]);
  const deployable = await look(WALLET);
  expect(words(deployable)).toContain('Buyers can pay all the same.');
  expect(words(deployable)).not.toContain(DETERMINISTIC_DEPLOYER);
  const untold = words({ ...deployable, hasDeployer: null });
  expect(untold).toContain('is there is not known: its node did not say');
  expect(untold).not.toContain('Buyers can pay');
  await deployFactory(anvil.rpcUrl);
  const ready = await look(WALLET);
  expect(ready).toMatchObject({ isFactoryDeployed: true, hasDeployer: true, refused: [] });
  expect(payoutWarnings(ready, 'ethereum')).toEqual([]);
});
