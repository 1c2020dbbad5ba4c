import { type Address, parseEther } from 'viem';
import { MOST_WATCHED } from '../../../src/modules/chains/data/balances/balances.repository.js';
import { ReconciliationService } from '../../../src/modules/chains/reconciliation/reconciliation.service.js';
import { BUYER, ChainTest, MERCHANT } from '../../chain/chains-fixture.js';
import { compileContracts } from '../../chain/contracts.js';
import { presentTerm } from '../../chain/term.js';

const { payout } = compileContracts();

let test: ChainTest;
let contract: Address;

beforeAll(async () => {
  test = await ChainTest.start();
  contract = await test.deploy(payout);
});
afterAll(() => test?.stop());

const query = (sql: string, values: unknown[] = []) => test.chains.dataSource.query<unknown>(sql, values);

async function bury(): Promise<void> {
  await test.mine(8);
  await test.catchUp();
}

/** A whole round of the job, with the newest addresses first. */
async function compare(): Promise<void> {
  const reconciliation = test.chains.app.get(ReconciliationService, { strict: false });
  await query(`UPDATE reconciliation SET recent_at = NULL, position = NULL, round_started_at = NULL`);
  const term = await presentTerm(test.chains.dataSource, test.network.id);
  while (await reconciliation.step(term));
}

async function pay(address: Address, ether: string): Promise<void> {
  await test.anvil.testClient.writeContract({
    account: BUYER,
    address: contract,
    abi: payout.abi,
    functionName: 'pay',
    gas: 1_000_000n,
    args: [[address], [parseEther(ether)]],
    value: parseEther(ether),
  });
  await test.mine();
  await test.catchUp();
}

const received = async () => (await test.transfers('pi_1')).map(({ amountAtoms }) => amountAtoms);
const isUnseen = (address: Address, asset: string) =>
  test.chains.health.isAnyUnseen(test.chains.dataSource, [
    { network: 'ethereum', asset, watchedAddress: address.toLowerCase() },
  ]);
const closed = async (merchantId?: string) => {
  const { health } = test.chains;
  const [network] = await (merchantId ? health.forMerchant(merchantId) : health.all());
  return network!.closedAssets;
};
const unwatched = async () => (await test.chains.health.all())[0]!.coinUnwatched;

it('finds coin at an address of today that the watcher has no room for, and once only', async () => {
  const address = await test.issue('pi_1');
  await bury();
  expect(await isUnseen(address, 'ETH')).toBe(false);
  expect(await closed()).toEqual({});
  await query(
    `INSERT INTO address (family, address, extended_key_id, derivation_index, subject, passed)
     SELECT 'evm', '0x' || repeat('c', 32) || lpad(to_hex(n), 8, '0'), extended_key_id, 100000 + n, 'pi_crowd', passed
       FROM address, generate_series(1, $1) n WHERE subject = 'pi_1'`,
    [MOST_WATCHED],
  );
  await pay(address, '1');
  await bury();
  expect([await received(), await unwatched()]).toEqual([[], 1]);
  expect([await isUnseen(address, 'ETH'), await isUnseen(address, 'USDC')]).toEqual([true, false]);
  expect(await closed()).toEqual({ ETH: 'too-many-addresses' });
  expect(await isUnseen(`0x${'c'.repeat(32)}00000001`, 'ETH')).toBe(false);
  // That is the merchant's own crowd: another one has its share of the looks, and offers the coin.
  expect([await closed(MERCHANT), await closed('mer_other')]).toEqual([{ ETH: 'too-many-addresses' }, {}]);
  // The first round says that the address is left to the comparison, the next one that begins behind it appends.
  await compare();
  expect(await received()).toEqual([]);
  await bury();
  await compare();
  expect(await received()).toEqual([parseEther('1')]);
  // There is room again, but it stays with the comparison, and with those that no block's look sees.
  await query(`DELETE FROM address WHERE subject = 'pi_crowd'`);
  await test.mine();
  await test.catchUp();
  expect(await unwatched()).toBe(1);
  expect([await isUnseen(address, 'ETH'), await closed()]).toEqual([true, { ETH: 'too-many-addresses' }]);
  await pay(address, '2');
  await bury();
  expect(await received()).toEqual([parseEther('1')]);
  await compare();
  await bury();
  await compare();
  expect(await received()).toEqual([parseEther('1'), parseEther('2')]);
  // Its window is over: new ones are offered the coin again.
  await query(`UPDATE address SET created_at = created_at - interval '1 hour'`);
  await test.mine();
  await test.catchUp();
  expect([await unwatched(), await closed()]).toEqual([1, {}]);
});
