import type { PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import { deriveAddress } from '../../../src/modules/chains/domain/addresses/derive-address.js';
import { depositSalt, forwarderAddress } from '../../../src/modules/chains/domain/forwarder-address.js';
import { DestinationsService } from '../../../src/modules/chains/wallets/destinations.service.js';
import { OwnAddressesService } from '../../../src/modules/chains/wallets/own-addresses.service.js';
import { testNetwork } from '../../chain/bitcoin-fixture.js';
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
import { NO_NODE, sayNothingUsed, vpubOf } from '../../support/nodes/wallet.js';

const coin = testNetwork(NO_NODE);
const networks = [evmNetwork(NO_NODE, []), evmNetwork(NO_NODE, [], { id: 'base', chainId: 8453 }), coin];
const OTHER = 'mer_other';
const SAFE = `0x${'5afe'.repeat(10)}`;

let database: TestDatabase;
let chains: Chains;

beforeEach(async () => {
  database = await createTestDatabase();
  chains = await startChains(database.url, networks);
  await createMerchant(chains.dataSource);
  await createMerchant(chains.dataSource, OTHER);
});
afterEach(async () => {
  await chains.app.close();
  await database.drop();
});

const addressAt = (index: number) => deriveAddress({ family: 'evm' }, accountXpub(), index).address;
async function setKey(network = 'ethereum', xpub = accountXpub()): Promise<void> {
  await chains.extendedKeys.set({ merchantId: MERCHANT, network, xpub }, by('test'));
  await sayNothingUsed(chains.dataSource);
}
const payOutTo = (address: string, merchantId = MERCHANT, network = 'base') =>
  chains.app.get(DestinationsService, { strict: false }).set({ merchantId, network, address }, by('test'));
const own = () => chains.app.get(OwnAddressesService, { strict: false });
const callOwn = (address: string, merchantId = MERCHANT, network = 'base') =>
  own().add({ merchantId, network, address }, by('test'));
const wanted = (subject: string, network = 'ethereum') => ({
  merchantId: MERCHANT,
  network,
  asset: 'ETH',
  subject,
  confirmationDepth: 1,
});
const issue = async (subject: string, network = 'ethereum') =>
  (await chains.dataSource.transaction((tx) => chains.addresses.issue(tx, wanted(subject, network)))).address;
const inBoth = () =>
  chains.dataSource.query<object[]>(
    `SELECT a.address FROM address a JOIN (SELECT 'evm' AS family, address FROM destination
                                           UNION SELECT family, address FROM own_address) n USING (family, address)`,
  );

describe('an index is passed over', () => {
  it.each([
    ['the merchant is paid out to its address on another network', () => payOutTo(addressAt(0))],
    ['another merchant is paid out to its address', () => payOutTo(addressAt(0), OTHER)],
    ['the merchant has called its address its own', () => callOwn(addressAt(0).toLowerCase())],
    ['another merchant has called its address its own', () => callOwn(addressAt(0), OTHER)],
  ])('where %s', async (_, name) => {
    await name();
    await setKey();
    expect(await issue('pi_1')).toBe(addressAt(1));
    expect(await chains.wallets.list(MERCHANT)).toContainEqual(
      expect.objectContaining({ network: 'ethereum', nextIndex: 2 }),
    );
  });

  it('whenever its address was named before its turn, and however many are', async () => {
    await setKey();
    expect(await issue('pi_0')).toBe(addressAt(0));
    for (const index of [2, 3, 5]) await callOwn(addressAt(index), index === 3 ? OTHER : MERCHANT);
    const issued = [await issue('pi_1'), await issue('pi_2'), await issue('pi_3')];
    expect(issued).toEqual([addressAt(1), addressAt(4), addressAt(6)]);
  });

  it('also where it is called own no more: whoever named it knows it still', async () => {
    await setKey();
    await callOwn(addressAt(0));
    await own().remove({ merchantId: MERCHANT, network: 'base', address: addressAt(0) }, by('test'));
    expect(await issue('pi_1')).toBe(addressAt(1));
  });

  it('on Bitcoin-like networks too', async () => {
    const xpub = vpubOf(database.url);
    const at = (index: number) => deriveAddress(coin, xpub, index).address;
    await callOwn(at(0), OTHER, coin.id);
    await setKey(coin.id, xpub);
    expect(await issue('pi_1', coin.id)).toBe(at(1));
  });
});

it('takes two statements to issue an address that nobody has named', async () => {
  await setKey();
  const asked: string[] = [];
  await chains.dataSource.transaction(async (tx) => {
    const client = (await tx.queryRunner!.connect()) as PoolClient;
    const query = client.query.bind(client) as (...asking: { name?: string }[]) => unknown;
    Object.assign(client, {
      query: (...asking: { name?: string }[]) => {
        asked.push(asking[0]!.name ?? 'unnamed');
        return query(...asking);
      },
    });
    await chains.addresses.issue(tx, wanted('pi_1'));
    Object.assign(client, { query });
  });
  expect(asked).toEqual(['chains-take', 'chains-issue-address']);
});

it('gives nobody a deposit address for one address that was named before its payment was picked', async () => {
  await payOutTo(SAFE, MERCHANT, 'ethereum');
  const salt = depositSalt({ subject: 'pi_1', network: 'ethereum', asset: 'ETH' });
  await payOutTo(forwarderAddress(SAFE as never, salt), OTHER);
  await expect(issue('pi_1')).rejects.toMatchObject({ code: 'address-named' });
  await issue('pi_2');
});

describe('an address that was issued', () => {
  it.each([
    ['of a key', setKey],
    ['without a key', () => payOutTo(SAFE, MERCHANT, 'ethereum')],
  ])('%s is nobody’s own, and nobody is paid out to it', async (_, set) => {
    await set();
    const issued = await issue('pi_1');
    for (const merchantId of [MERCHANT, OTHER]) {
      await expect(callOwn(issued, merchantId)).rejects.toMatchObject({ code: 'own-address-in-use' });
      await expect(payOutTo(issued, merchantId)).rejects.toMatchObject({ code: 'invalid-destination' });
    }
    expect(await inBoth()).toEqual([]);
  });
});

describe('the database', () => {
  const insertOwn = (address: string) =>
    chains.dataSource.query(`INSERT INTO own_address (merchant_id, family, address) VALUES ($1, 'evm', $2)`, [
      OTHER,
      address.toLowerCase(),
    ]);
  const insertDestination = (address: string) =>
    chains.dataSource.query(
      `INSERT INTO destination (id, merchant_id, address, factory) VALUES ('dst_1', $1, $2, $2)`,
      [OTHER, address.toLowerCase()],
    );

  it('refuses to name what was issued, and to issue what was named', async () => {
    await setKey();
    const issued = await issue('pi_1');
    await expect(insertOwn(issued)).rejects.toMatchObject({ constraint: 'named_address_is_not_issued' });
    await expect(insertDestination(issued)).rejects.toMatchObject({
      constraint: 'named_address_is_not_issued',
    });
    await insertDestination(addressAt(1));
    await insertOwn(addressAt(2));
    for (const index of [1, 2]) {
      const insert = chains.dataSource.query(
        `INSERT INTO address (family, address, extended_key_id, derivation_index, subject, confirmation_depth)
         SELECT 'evm', $1, id, $2, 'pi_hand', '1' FROM extended_key`,
        [addressAt(index).toLowerCase(), index],
      );
      await expect(insert).rejects.toMatchObject({ constraint: 'address_is_not_named' });
    }
  });
});

describe('two at once', () => {
  /** Whether a promise waits for another transaction: it does nothing for so long. */
  const isWaiting = (promise: Promise<unknown>) =>
    Promise.race([
      promise.then(
        () => false,
        () => false,
      ),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 300)),
    ]);

  function gate(): { opened: Promise<void>; open: () => void } {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    return { opened, open: () => open() };
  }

  /** Does the first within a transaction, and the other before that ends. @returns what became of the other */
  async function during(
    first: (tx: EntityManager) => Promise<unknown>,
    other: () => Promise<unknown>,
  ): Promise<unknown> {
    const [done, end] = [gate(), gate()];
    const holding = chains.dataSource.transaction(async (tx) => {
      await first(tx);
      done.open();
      await end.opened;
    });
    await Promise.race([done.opened, holding]);
    const waiting = other().catch((error: unknown) => error);
    expect(await isWaiting(waiting)).toBe(true);
    end.open();
    await holding;
    return waiting;
  }

  it.each([
    ['call its address own', () => callOwn(addressAt(0), OTHER), 'own-address-in-use'],
    ['be paid out to it', () => payOutTo(addressAt(0), OTHER), 'invalid-destination'],
  ])('whoever wants to %s waits for who is issuing it, and is refused', async (_, name, code) => {
    await setKey();
    const named = during((tx) => chains.addresses.issue(tx, wanted('pi_1')), name);
    expect(await named).toMatchObject({ code });
    expect(await inBoth()).toEqual([]);
  });

  it('whoever issues it waits for who is naming it, and passes it over', async () => {
    await setKey();
    const issued = during(
      (tx) =>
        tx.query(`INSERT INTO own_address (merchant_id, family, address) VALUES ($1, 'evm', $2)`, [
          OTHER,
          addressAt(0).toLowerCase(),
        ]),
      () => issue('pi_1'),
    );
    expect(await issued).toBe(addressAt(1));
  });

  it('never both name an address and issue it', async () => {
    await setKey();
    await setKey('base');
    const pair = (i: number) => [
      issue(`pi_${i}`, i % 2 === 0 ? 'ethereum' : 'base'),
      i % 2 === 0 ? callOwn(addressAt(i), OTHER) : payOutTo(addressAt(i), OTHER, 'ethereum'),
    ];
    const outcomes = await Promise.allSettled([...Array(40).keys()].flatMap(pair));
    const refused = outcomes.flatMap((one) =>
      one.status === 'rejected' ? [one.reason as { code: string }] : [],
    );
    expect(
      refused.filter(({ code }) => code !== 'own-address-in-use' && code !== 'invalid-destination'),
    ).toEqual([]);
    expect(await inBoth()).toEqual([]);
    const [{ issued }] = await chains.dataSource.query<[{ issued: number }]>(
      'SELECT count(*)::int AS issued FROM address',
    );
    expect(issued).toBe(40);
  });
});
