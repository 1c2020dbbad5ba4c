import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type Address, getAddress, getContractAddress, keccak256, stringToHex } from 'viem';
import { forwarderInitCode } from '../../../src/modules/chains/domain/forwarder-address.js';
import { DETERMINISTIC_DEPLOYER } from '../../../src/modules/chains/factory-deployment.types.js';
import { forwarder, forwarderFactory } from '../../../src/modules/chains/forwarders.types.js';
import { DestinationsService } from '../../../src/modules/chains/wallets/destinations.service.js';
import { WalletRecoveryService } from '../../../src/modules/chains/wallets/wallet-recovery.service.js';
import {
  accountXpub,
  type Chains,
  createMerchant,
  evmNetwork,
  MERCHANT,
  startChains,
} from '../../chain/chains-fixture.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { by } from '../../support/intents/by.js';
import { NO_NODE, sayNothingUsed } from '../../support/nodes/wallet.js';

const USDC = getAddress(`0x${'c0'.repeat(20)}`);
const assets = [{ symbol: 'USDC', decimals: 6, contract: USDC, dustAtoms: 1n }];
const networks = [
  evmNetwork(NO_NODE, []),
  evmNetwork(NO_NODE, assets, { id: 'base', chainId: 8453 }),
  evmNetwork(NO_NODE, [], { id: 'zksync', name: 'zkSync Era', chainId: 324 }),
];
const SAFE = getAddress(`0x${'5afe'.repeat(10)}`);
const OTHER = getAddress(`0x${'07'.repeat(20)}`);

let database: TestDatabase;
let chains: Chains;
let destinations: DestinationsService;

beforeEach(async () => {
  database = await createTestDatabase();
  chains = await startChains(database.url, networks);
  destinations = chains.app.get(DestinationsService, { strict: false });
  await createMerchant(chains.dataSource);
  await createMerchant(chains.dataSource, 'mer_other');
});
afterEach(async () => {
  await chains.app.close();
  await database.drop();
});

const set = (address: string, network = 'ethereum', merchantId = MERCHANT) =>
  destinations.set({ merchantId, network, address }, by('test'));
const issue = async (subject: string, asset = 'USDC', network = 'ethereum') => {
  const wanted = { merchantId: MERCHANT, network, asset, subject, confirmationDepth: 1 };
  return (await chains.dataSource.transaction((tx) => chains.addresses.issue(tx, wanted))).address;
};
/** By viem, from the words of the documentation. */
const expected = (destination: Address, words: string) =>
  getContractAddress({
    opcode: 'CREATE2',
    from: forwarderFactory.address,
    salt: keccak256(stringToHex(words)),
    bytecode: forwarderInitCode(destination),
  });

it('gives each quote an address that can be computed from public facts, and keeps them when the wallet changes', async () => {
  expect(await set(SAFE.toLowerCase())).toMatchObject({
    kind: 'address',
    destination: SAFE,
    changes: 1,
    isSet: false,
    // No node answers here, which a wallet can be set without.
    account: null,
    isFactoryDeployed: null,
  });
  const issued = [await issue('pi_1'), await issue('pi_1', 'ETH'), await issue('pi_2')];
  expect(issued).toEqual([
    expected(SAFE, 'pi_1/ethereum/USDC'),
    expected(SAFE, 'pi_1/ethereum/ETH'),
    expected(SAFE, 'pi_2/ethereum/USDC'),
  ]);

  expect(await set(OTHER)).toMatchObject({ destination: OTHER, changes: 2 });
  expect(await issue('pi_3')).toBe(expected(OTHER, 'pi_3/ethereum/USDC'));
  expect(await chains.addresses.issuedTo(['pi_2'])).toEqual([
    {
      subject: 'pi_2',
      address: issued[2]!.toLowerCase(),
      place: {
        destination: SAFE,
        factory: forwarderFactory.address,
        salt: keccak256(stringToHex('pi_2/ethereum/USDC')),
      },
    },
  ]);
  expect(await destinations.list(MERCHANT)).toMatchObject([
    { address: SAFE, networks: [] },
    { address: OTHER, networks: ['ethereum'] },
  ]);
  expect(await chains.addresses.subjectsKnownBy(MERCHANT, issued[0]!)).toEqual(['pi_1']);
  expect(await chains.addresses.subjectsKnownBy('mer_other', issued[0]!)).toEqual([]);
});

it('finds what a transaction paid of the merchant, however many payments of others it paid too', async () => {
  const txid = `0x${'7a'.repeat(32)}`;
  await set(SAFE);
  const address = (await issue('pi_z')).toLowerCase();
  await set(OTHER, 'ethereum', 'mer_other');
  await chains.dataSource.query(
    `INSERT INTO address (family, address, destination_id, salt, subject)
     SELECT 'evm', '0x' || lpad(to_hex(n), 40, '0'), d.id, '0x' || lpad(to_hex(n), 64, '0'), 'pi_' || n
       FROM destination d, generate_series(1, 600) AS n WHERE d.merchant_id = 'mer_other'`,
  );
  await chains.dataSource.query(
    `INSERT INTO transfer (id, network, txid, output, asset, family, address, subject, amount_atoms, state, block_height,
                           block_hash, block_time, final)
     SELECT 'tr_' || a.subject, 'ethereum', $1, 'log:' || row_number() OVER (), 'ETH', a.family, a.address, a.subject, 1,
            'included', 1, '0xb', clock_timestamp(), true FROM address a`,
    [txid],
  );
  expect(await chains.addresses.subjectsKnownBy(MERCHANT, txid)).toEqual(['pi_z']);
  expect(await chains.addresses.subjectsKnownBy('mer_other', txid)).toHaveLength(500);
  expect(await chains.dataSource.query('SELECT FROM transfer WHERE address = $1', [address])).toHaveLength(1);
});

it('is one of two kinds, and may change between them', async () => {
  await set(SAFE);
  await chains.extendedKeys.set(
    { merchantId: MERCHANT, network: 'ethereum', xpub: accountXpub() },
    by('test'),
  );
  await sayNothingUsed(chains.dataSource);
  expect(await chains.wallets.list(MERCHANT)).toMatchObject([{ kind: 'extended-key', changes: 2 }]);
  await issue('pi_1');
  await set(SAFE);
  await set(SAFE);
  expect(await chains.wallets.list(MERCHANT)).toEqual([
    {
      kind: 'address',
      merchantId: MERCHANT,
      network: 'ethereum',
      changes: 3,
      destination: SAFE,
      destinationId: expect.stringMatching(/^dst_/) as string,
    },
  ]);
  expect(await issue('pi_2')).toBe(expected(SAFE, 'pi_2/ethereum/USDC'));
  const skip = chains.extendedKeys.skip({ merchantId: MERCHANT, network: 'ethereum', to: 5 }, by('test'));
  await expect(skip).rejects.toMatchObject({ code: 'no-key-wallet' });

  const query = (sql: string) => chains.dataSource.query(sql);
  await expect(query('UPDATE wallet SET destination_id = NULL')).rejects.toThrow('wallet_is_one_kind');
  const both = 'UPDATE wallet SET extended_key_id = (SELECT id FROM extended_key)';
  await expect(query(both)).rejects.toThrow('wallet_is_one_kind');
  await expect(query('UPDATE address SET salt = NULL')).rejects.toThrow('address_is_one_kind');
  const index = `UPDATE address SET derivation_index = 7 WHERE subject = 'pi_2'`;
  await expect(query(index)).rejects.toThrow('address_is_one_kind');
});

it('may be one address for many merchants and networks, whose deposit addresses differ', async () => {
  await set(SAFE);
  await set(SAFE, 'base');
  await set(SAFE, 'ethereum', 'mer_other');
  expect(await issue('pi_1')).not.toBe(await issue('pi_1', 'USDC', 'base'));
});

it('has nothing to recover after a lost database', async () => {
  const recover = () =>
    chains.app
      .get(WalletRecoveryService, { strict: false })
      .recover({ beyond: 50 }, { name: 'test', record: () => Promise.reject(new Error('nothing moves')) });
  await expect(recover()).rejects.toMatchObject({ code: 'no-wallet' });
  await set(SAFE);
  expect(await recover()).toEqual([]);
});

it('never issues an address twice', async () => {
  await set(SAFE);
  await issue('pi_1');
  await expect(issue('pi_1')).rejects.toThrow('duplicate key');
});

const mistyped = SAFE.replace('5A', '5a') === SAFE ? SAFE.replace('5a', '5A') : SAFE.replace('5A', '5a');
it.each([
  ['a wrong checksum', mistyped, 'checksum'],
  ['the zero address', `0x${'00'.repeat(20)}`, 'lost'],
  ['an address of which nobody has the key', '0x000000000000000000000000000000000000dEaD', 'lost'],
  ['a precompiled contract', `0x${'00'.repeat(19)}04`, 'the network itself'],
  ['a token of another network', USDC, 'contract of USDC on Ethereum'],
  ['our factory', forwarderFactory.address, 'behind the deposit addresses'],
  ['the code of deposit addresses', forwarder.address.toLowerCase(), 'behind the deposit addresses'],
  ['the deployer', DETERMINISTIC_DEPLOYER, 'behind the deposit addresses'],
  ['too little', SAFE.slice(0, -1), 'not an address'],
  ['an extended key', accountXpub(), 'not an address'],
])('refuses %s', async (_, address, why) => {
  await expect(set(address)).rejects.toMatchObject({
    kind: 'invalid',
    code: 'invalid-destination',
    message: expect.stringContaining(why) as string,
  });
  expect(await chains.wallets.list(MERCHANT)).toEqual([]);
});

it('refuses a private key and does not repeat it', async () => {
  const key = `0x${'ab'.repeat(32)}`;
  const refused = set(key);
  await expect(refused).rejects.toMatchObject({ code: 'private-key-refused' });
  await expect(refused).rejects.not.toThrow(key);
});

it('refuses an address that was issued to a buyer, whoever’s', async () => {
  await set(SAFE);
  const issued = await issue('pi_1');
  await expect(set(issued, 'base', 'mer_other')).rejects.toThrow('issued to a buyer');
});

it('refuses networks whose deposit addresses would be others', async () => {
  await expect(set(SAFE, 'zksync')).rejects.toMatchObject({ code: 'no-deposit-addresses' });
  await expect(set(SAFE, 'tron')).rejects.toMatchObject({ code: 'unknown-network' });
});

it.each([[42], [{}], [['0x']], ['0x0'], ['code'], [true], [null]])(
  'calls the account and the contract unknown where a node answers %j for code',
  async (result) => {
    const server = createServer((request, response) => {
      void json(request).then((asked) => {
        const { id } = asked as { id: number };
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const own = await startChains(database.url, [evmNetwork(`http://127.0.0.1:${port}`, [])]);
    try {
      const preview = own.app.get(DestinationsService, { strict: false });
      const wanted = { merchantId: MERCHANT, network: 'ethereum', address: SAFE };
      expect(await preview.preview(wanted)).toMatchObject({ account: null, isFactoryDeployed: null });
    } finally {
      await own.app.close();
      server.close();
    }
  },
);
