import { parseEther } from 'viem';
import { anvilAccount } from '../../../../src/modules/sandbox/local/evm/tokens.js';
import { ChainTest } from '../../../chain/chains-fixture.js';
import { REFUSALS } from '../../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../../chain/hostile/hostile-node.js';
import { deployPayer, type Payer } from '../../../chain/payer.js';
import type { SteppedWatcher } from '../../../chain/term.js';

// What is missing may have come back where nobody looks: its grace time stands still for as long.

let test: ChainTest;
let proxy: HostileNode;
let pay: Payer;

beforeAll(async () => {
  test = await ChainTest.start();
  proxy = await HostileNode.start(test.anvil.rpcUrl);
  pay = await deployPayer(test);
});
beforeEach(() => proxy.honest());
afterAll(async () => {
  await proxy?.stop();
  await test?.stop();
});

const query = (sql: string, values: unknown[] = []) => test.chains.dataSource.query<unknown>(sql, values);
const closed = async () => (await test.chains.health.all())[0]!.closedAssets;

const UNSEEN_MS = 25_000;
type Grace = 'stands still' | 'runs';

/** Of what has been missing for 40 s, 25 of which are since the last look: whether these count after another. */
async function graceAtALook(watcher: SteppedWatcher, subject: string): Promise<Record<string, Grace>> {
  await query(
    `UPDATE transfer SET missing_since = clock_timestamp() - interval '40 seconds' WHERE subject = $1`,
    [subject],
  );
  const before = await test.transfers(subject);
  await query(`UPDATE chain_cursor SET synced_at = clock_timestamp() - $1 * interval '1 millisecond'`, [
    UNSEEN_MS,
  ]);
  await test.mine();
  await test.catchUp(watcher);
  const transfers = await test.transfers(subject);
  expect(transfers.map(({ state }) => state)).toEqual(transfers.map(() => 'orphaned'));
  return Object.fromEntries(
    transfers.map(({ asset, missingSince }) => {
      const then = before.find((transfer) => transfer.asset === asset)!.missingSince!;
      const movedMs = missingSince!.getTime() - then.getTime();
      expect(movedMs === 0 || movedMs >= UNSEEN_MS).toBe(true);
      return [asset, movedMs === 0 ? 'runs' : 'stands still'];
    }),
  );
}

it('stands still for a token that is not looked for, or is caught up from a node that refuses its logs and receipts', async () => {
  const { USDC, USDT } = test.anvil.tokens;
  const to = await test.issue('pi_token');
  await test.sendToken(to, 5n, USDC.address);
  await test.sendToken(to, 7n, USDT.address);
  const other = await test.send(`0x${'99'.repeat(20)}`, '0.001', anvilAccount(4).address);
  await test.mine();
  await test.catchUp();
  const assets = test.network.assets.filter(({ symbol }) => symbol !== 'USDC');
  const old = test.watcher(test.anvil.rpcUrl, { assets });
  // Of an empty block nobody has to be asked for receipts.
  await test.reorganise(1, [[await test.rawTransaction(other), 0]]);
  await test.mine(2);
  await test.catchUp(old);
  expect(await closed()).toEqual({ USDC: 'catching-up' });
  expect(await graceAtALook(old, 'pi_token')).toEqual({ USDC: 'stands still', USDT: 'runs' });
  proxy.plan([
    {
      methods: ['eth_getLogs'],
      holding: `"address":["${USDC.address.toLowerCase()}"]`,
      fault: REFUSALS.limit,
    },
    { methods: ['eth_getBlockReceipts', 'eth_getTransactionReceipt'], fault: REFUSALS.limit },
  ]);
  const current = test.watcher(proxy.url);
  expect(await graceAtALook(current, 'pi_token')).toEqual({ USDC: 'stands still', USDT: 'runs' });
  expect(proxy.strikes).toBeGreaterThan(0);
  expect(await closed()).toEqual({ USDC: 'catching-up' });
  proxy.honest();
  await test.catchUp(test.watcher(proxy.url));
  expect(await closed()).toEqual({});
  expect(await graceAtALook(current, 'pi_token')).toEqual({ USDC: 'runs', USDT: 'runs' });
});

it.each([
  { which: 'is left to the comparison', change: `coin_left = '{"ethereum": 1}'` },
  { which: 'is older than a day', change: `created_at = created_at - interval '25 hours'` },
])('stands still for coin that a contract paid to an address that $which', async ({ change }) => {
  const subject = `pi_${change}`;
  const to = await test.issue(subject);
  const atoms = parseEther('0.1');
  await pay(to, atoms);
  await test.mine();
  await test.catchUp();
  await test.reorganise(1);
  await test.catchUp();
  expect(await graceAtALook(test.watcher(), subject)).toEqual({ ETH: 'runs' });
  await query(`UPDATE address SET ${change} WHERE subject = $1`, [subject]);
  expect(await graceAtALook(test.watcher(), subject)).toEqual({ ETH: 'stands still' });
});
