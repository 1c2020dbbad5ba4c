import type { KeyWallet } from '../../../src/modules/chains/wallets.types.js';
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
import { keyWallet, NO_NODE, sayNothingUsed } from '../../support/nodes/wallet.js';

const networks = [evmNetwork(NO_NODE, []), evmNetwork(NO_NODE, [], { id: 'base', chainId: 8453 })];
let database: TestDatabase;
let chains: Chains;

beforeEach(async () => {
  database = await createTestDatabase();
  chains = await startChains(database.url, networks);
  await createMerchant(chains.dataSource);
  await createMerchant(chains.dataSource, 'mer_other');
});

afterEach(async () => {
  await chains.app.close();
  await database.drop();
});

async function set(account: number, network = 'ethereum', merchantId = MERCHANT): Promise<KeyWallet> {
  const wanted = { merchantId, network, xpub: accountXpub(account) };
  // No node answers here, which a wallet can be set without.
  const { scan, addresses } = await chains.extendedKeys.set(wanted, by('test'));
  expect(scan.networks.every(({ reason }) => reason !== null)).toBe(true);
  expect(addresses).toHaveLength(3);
  await sayNothingUsed(chains.dataSource);
  return keyWallet((await chains.wallets.list(merchantId)).find((wallet) => wallet.network === network));
}

const issue = (subject: string, network = 'ethereum') =>
  chains.dataSource.transaction((tx) =>
    chains.addresses.issue(tx, {
      merchantId: MERCHANT,
      network,
      asset: 'ETH',
      subject,
      confirmationDepth: 1,
    }),
  );

describe('wallets', () => {
  it('keep their index when the same key is set again, and share it between networks', async () => {
    const first = await set(0);
    expect(first).toEqual({
      kind: 'extended-key',
      merchantId: MERCHANT,
      network: 'ethereum',
      extendedKeyId: expect.stringMatching(/^xk_/),
      nextIndex: 0,
      isSearched: true,
      changes: 1,
    });
    await issue('pi_1');
    expect(await set(0)).toEqual({ ...first, nextIndex: 1 });
    expect(await set(0, 'base')).toEqual({ ...first, network: 'base', nextIndex: 1 });
    await issue('pi_2', 'base');
    expect((await chains.wallets.list(MERCHANT)).map((one) => keyWallet(one).nextIndex)).toEqual([2, 2]);
    expect(await chains.wallets.networksOf(MERCHANT)).toEqual(['base', 'ethereum']);
  });

  it('change their key, and find the old index when it comes back', async () => {
    const first = await set(0);
    const { address } = await issue('pi_1');
    expect((await set(1)).extendedKeyId).not.toBe(first.extendedKeyId);
    expect((await issue('pi_2')).address).not.toBe(address);
    expect(await set(0)).toEqual({ ...first, nextIndex: 1, changes: 3 });
  });

  it('refuse the key of another merchant, private keys and unknown networks', async () => {
    await set(0);
    await expect(set(0, 'base', 'mer_other')).rejects.toMatchObject({
      kind: 'conflict',
      code: 'wallet-key-in-use',
    });
    const xpub = `0x${'ab'.repeat(32)}`;
    const wanted = { merchantId: MERCHANT, network: 'ethereum', xpub };
    await expect(chains.extendedKeys.set(wanted, by('test'))).rejects.toMatchObject({
      code: 'private-key-refused',
    });
    await expect(set(0, 'tron')).rejects.toMatchObject({ code: 'unknown-network' });
    await expect(issue('pi_1', 'base')).rejects.toMatchObject({ code: 'no-wallet' });
  });

  it('give a key that two merchants set at once to one of them', async () => {
    const outcomes = await Promise.allSettled([set(0), set(0, 'ethereum', 'mer_other')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('skip indexes forward only', async () => {
    await set(0);
    const skip = (to: number) =>
      chains.extendedKeys.skip({ merchantId: MERCHANT, network: 'ethereum', to }, by('test'));
    expect((await skip(40)).nextIndex).toBe(40);
    expect((await skip(40)).nextIndex).toBe(40);
    await expect(skip(39)).rejects.toMatchObject({ code: 'index-behind' });
    for (const to of [-1, 0.5, 2 ** 31])
      await expect(skip(to)).rejects.toMatchObject({ code: 'invalid-index' });
    await issue('pi_1');
    const [row] = await chains.dataSource.query<[{ derivation_index: number }]>(
      'SELECT derivation_index FROM address',
    );
    expect(row.derivation_index).toBe(40);
  });
});

describe('issueAddress', () => {
  it('gives 50 transactions at once 50 addresses, without a gap', async () => {
    await set(0);
    const issued = await Promise.all(Array.from({ length: 50 }, (_, i) => issue(`pi_${i}`)));
    expect(new Set(issued.map(({ watchedAddress }) => watchedAddress)).size).toBe(50);
    const rows = await chains.dataSource.query<{ derivation_index: number }[]>(
      'SELECT derivation_index FROM address ORDER BY 1',
    );
    expect(rows.map((row) => row.derivation_index)).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  it('leaves nothing behind when its transaction is rolled back', async () => {
    await set(0);
    const failing = chains.dataSource.transaction(async (tx) => {
      await chains.addresses.issue(tx, {
        merchantId: MERCHANT,
        network: 'ethereum',
        asset: 'ETH',
        subject: 'pi_1',
        confirmationDepth: 1,
      });
      throw new Error('after all not');
    });
    await expect(failing).rejects.toThrow('after all not');
    await issue('pi_2');
    expect(await chains.dataSource.query('SELECT subject FROM address')).toEqual([{ subject: 'pi_2' }]);
  });
});
