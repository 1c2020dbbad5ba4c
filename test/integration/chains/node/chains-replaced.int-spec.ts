import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type Hex, keccak256, parseEther, stringToHex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { HoldingsService } from '../../../../src/modules/chains/forwarders/holdings.service.js';
import { ReconciliationRepository } from '../../../../src/modules/chains/reconciliation/data/reconciliation.repository.js';
import { ReconciliationService } from '../../../../src/modules/chains/reconciliation/reconciliation.service.js';
import type { AgreedBlock } from '../../../../src/modules/chains/reconciliation/reconciliation.types.js';
import { ChainRepairService } from '../../../../src/modules/chains/repair/chain-repair.service.js';
import { BUYER, ChainTest, MERCHANT } from '../../../chain/chains-fixture.js';
import { collectTo } from '../../../chain/forwarders/collect-to.js';
import { ANYBODY, collectAll } from '../../../chain/forwarders/collecting.js';
import { presentTerm } from '../../../chain/term.js';
import { by } from '../../../support/intents/by.js';
import { eventually } from '../../../support/servers/receiver.js';

// The chain was replaced, and nothing that is remembered of it is left. What rested on its blocks must not stay below the
// cursor that the operator sets: money would seem to have come that never did.

const ATOMS = parseEther('1');
const USDC_ATOMS = 7_000_000n;

let test: ChainTest;
beforeEach(async () => {
  test = await ChainTest.start();
});
afterEach(() => test?.stop());

const received = async (subject: string) =>
  (await test.transfers(subject)).map(({ asset, amountAtoms, state }) => [asset, amountAtoms, state]);

/** What came since the snapshot never was. @returns where the watcher stood, and the operator's command */
async function replacedChain(snapshot: Hex, start: number) {
  const { testClient } = test.anvil;
  await test.chains.dataSource.query('DELETE FROM chain_block WHERE height <= $1', [start]);
  await testClient.revert({ id: snapshot });
  await testClient.increaseTime({ seconds: 77 });
  await test.mine(12);
  await expect(test.catchUp()).rejects.toThrow('shares none of the');
  const { height } = (await test.chains.ledger.cursor('ethereum'))!;
  const repair = test.chains.app.get(ChainRepairService, { strict: false });
  return { height, rewind: (to: number) => repair.rewind('ethereum', to, by('the operator')) };
}

/** @returns the lowest height that was refused, and where the operator went on */
async function replaceChain(snapshot: Hex, start: number): Promise<number> {
  const { height, rewind } = await replacedChain(snapshot, start);
  const refusal = await rewind(height).then(
    () => '',
    (error: unknown) => String(error),
  );
  const lower = Number(/Go back to (\d+) or below/.exec(refusal)?.[1]);
  await rewind(lower);
  await test.mine(8);
  expect(await test.catchUp()).toBe('synced');
  return lower;
}

it('credits no coin for what its owner spent on the chain that was given up', async () => {
  const { testClient } = test.anvil;
  await test.mine(5);
  const address = await test.issue('pi_coin');
  await test.mine();
  await test.catchUp();
  await test.send(address, '1');
  await test.mine(2);
  await test.catchUp();
  expect(await received('pi_coin')).toEqual([['ETH', ATOMS, 'included']]);
  const snapshot = await testClient.snapshot();
  const start = Number(await testClient.getBlockNumber());
  await testClient.impersonateAccount({ address });
  await testClient.sendTransaction({ account: address, to: BUYER, value: ATOMS / 2n });
  await test.mine(3);
  await test.catchUp();

  expect(await replaceChain(snapshot, start)).toBe(start);
  expect(await received('pi_coin')).toEqual([['ETH', ATOMS, 'included']]);
  expect(await testClient.getBalance({ address })).toBe(ATOMS);
});

it('credits no tokens for what was collected on the chain that was given up, and says that they lie there', async () => {
  const { testClient, tokens } = test.anvil;
  const destination = privateKeyToAddress(generatePrivateKey());
  await collectTo(test, destination);
  await test.catchUp();
  const address = await test.issue('pi_tokens');
  await test.mine();
  await test.catchUp();
  await test.sendToken(address, USDC_ATOMS);
  await test.mine(2);
  await test.catchUp();
  const snapshot = await testClient.snapshot();
  const start = Number(await testClient.getBlockNumber());
  const salt = keccak256(stringToHex('pi_tokens/ethereum/ETH'));
  const { to, data } = collectAll(destination, tokens.USDC.address, [salt]);
  await testClient.sendTransaction({ account: ANYBODY, to, data: data!, gas: 4_000_000n });
  await test.mine(3);
  await test.catchUp();
  const holdings = test.chains.app.get(HoldingsService, { strict: false });
  const lying = async () =>
    (await holdings.holdings(MERCHANT, { alsoEmpty: true })).map(({ asset, heldAtoms, collectedAtoms }) => [
      asset,
      heldAtoms,
      collectedAtoms,
    ]);
  expect(await lying()).toEqual([['USDC', 0n, USDC_ATOMS]]);

  expect(await replaceChain(snapshot, start)).toBe(start);
  expect(await received('pi_tokens')).toEqual([['USDC', USDC_ATOMS, 'included']]);
  expect(await lying()).toEqual([['USDC', USDC_ATOMS, 0n]]);
});

it('is compared again from where the operator went on', async () => {
  const { dataSource } = test.chains;
  const { testClient } = test.anvil;
  await test.mine(5);
  await test.catchUp();
  const snapshot = await testClient.snapshot();
  const start = Number(await testClient.getBlockNumber());
  const address = await test.issue('pi_again');
  await test.mine();
  await test.catchUp();
  await test.send(address, '1');
  await test.mine(3);
  await test.catchUp();
  await dataSource.query(
    `INSERT INTO reconciliation (network, term, leased_until, compared_height, position, round_started_at, whole_at)
     VALUES ('ethereum', gen_random_uuid(), clock_timestamp(), $1, '{"after": ${start + 2}}', clock_timestamp(),
             clock_timestamp())`,
    [start + 3],
  );
  const lower = await replaceChain(snapshot, start);
  const [row] = await dataSource.query<[Record<string, unknown>]>(
    `SELECT compared_height, position, round_started_at, whole_at FROM reconciliation WHERE network = 'ethereum'`,
  );
  expect(row).toEqual({
    compared_height: String(lower),
    position: null,
    round_started_at: null,
    whole_at: null,
  });
});

it.each([
  ['loses its claim where the block that it compares was given up', 3, false],
  ['keeps it where that stands', 0, true],
])('a part of the comparison that is under way %s', async (_what, above, kept) => {
  const { app } = test.chains;
  await test.mine(5);
  await test.catchUp();
  const snapshot = await test.anvil.testClient.snapshot();
  const start = Number(await test.anvil.testClient.getBlockNumber());
  await test.send(await test.issue('pi_under_way'), '1');
  await test.mine(4);
  await test.catchUp();
  const repository = app.get(ReconciliationRepository, { strict: false });
  const term = randomUUID();
  const periods = { leaseS: 900, recentEveryS: 600, roundEveryS: 86_400 };
  expect(await repository.claim('ethereum', term, periods)).not.toBeNull();
  const block = await test.anvil.testClient.getBlock({ blockNumber: BigInt(start + above) });
  const at = { height: start + above, hash: block.hash };
  expect(await repository.comparing('ethereum', term, at)).toBe(true);
  await replaceChain(snapshot, start);
  const part = { compared: 1, incomparable: {}, differences: [], next: { at: '2026-01-01', address: '0x1' } };
  await repository.progress(
    'ethereum',
    term,
    { ...part, covered: { addresses: null, heights: null, balances: null } },
    { isFirst: true, isWhole: true, requests: 1 },
  );
  const other = await repository.claim('ethereum', randomUUID(), periods);
  expect(kept ? other : other?.position).toBeNull();
  if (kept) expect((await repository.claim('ethereum', term, periods))?.position).toEqual(part.next);
  else expect(await repository.comparing('ethereum', term, at)).toBe(false);
});

it('keeps a claim of nothing that was given up, and compares no block that was', async () => {
  const { app } = test.chains;
  await test.mine(5);
  await test.catchUp();
  const repository = app.get(ReconciliationRepository, { strict: false });
  const term = randomUUID();
  await repository.claim('ethereum', term, { leaseS: 900, recentEveryS: 600, roundEveryS: 86_400 });
  const { height } = (await test.chains.ledger.cursor('ethereum'))!;
  expect(await repository.comparing('ethereum', term, { height, hash: '0xother' })).toBe(false);
  expect(await repository.comparing('ethereum', term, { height: height + 1, hash: '0xnew' })).toBe(false);
});

/** What a part found at a block, as its process is about to write it. */
async function partAt(height: number) {
  const { dataSource, app } = test.chains;
  const repository = app.get(ReconciliationRepository, { strict: false });
  const claim = randomUUID();
  await repository.claim('ethereum', claim, { leaseS: 0, recentEveryS: 600, roundEveryS: 86_400 });
  const { hash, timestamp } = await test.anvil.testClient.getBlock({ blockNumber: BigInt(height) });
  const at: AgreedBlock = { height, hash };
  const subject = `pi_${claim}`;
  const address = (await test.issue(subject)).toLowerCase();
  const block = { height, hash, time: new Date(Number(timestamp) * 1_000) };
  const movement = {
    txid: hash,
    output: `balance:${address}`,
    asset: 'ETH',
    address,
    block,
    amountAtoms: 1n,
    subject,
    sender: null,
    nonce: null,
    payers: [],
  };
  const covered = { addresses: [address], heights: null, balances: null };
  const part = { compared: 1, incomparable: {}, differences: [], covered, next: null };
  const term = () => presentTerm(dataSource, 'ethereum');
  return {
    at,
    comparing: () => repository.comparing('ethereum', claim, at),
    settle: async (compared = at) => repository.settle(await term(), compared, part),
    append: async (compared = at) =>
      repository.append(await term(), 'evm', 'ETH', compared, { transfers: [movement], spends: new Map() }),
    appendCollections: async () => repository.appendCollections(await term(), at, [movement]),
  };
}

const tipHeight = async () => (await test.chains.ledger.cursor('ethereum'))!.height;

async function goBackTo(height: number): Promise<void> {
  const { ledger, dataSource } = test.chains;
  const { hash, timestamp } = await test.anvil.testClient.getBlock({ blockNumber: BigInt(height) });
  const to = { height, hash, time: new Date(Number(timestamp) * 1_000) };
  const term = await presentTerm(dataSource, 'ethereum');
  await ledger.rewind(term, 'evm', (await ledger.cursor('ethereum'))!, to);
}

it('writes nothing of a part whose block was given up, though the chain came back to it', async () => {
  test.leaveUncompared('a movement by hand is in no block');
  await test.mine(8);
  await test.catchUp();
  const part = await partAt((await tipHeight()) - 2);
  expect(await part.comparing()).toBe(true);
  await goBackTo(part.at.height - 1);
  await test.catchUp();
  expect([await part.settle(), await part.append(), await part.appendCollections()]).toEqual([false, 0, 0]);
  expect(await part.comparing()).toBe(false);

  const other = await partAt((await tipHeight()) - 2);
  expect(await other.comparing()).toBe(true);
  const replaced = { ...other.at, hash: '0xother' };
  expect([await other.settle(replaced), await other.append(replaced)]).toEqual([false, 0]);
  expect([await other.settle(), await other.append(), await other.appendCollections()]).toEqual([true, 1, 1]);
});

it('compares nothing where the block is given up before it begins', async () => {
  const { app, dataSource } = test.chains;
  await test.mine(12);
  await test.catchUp();
  await test.issue('pi_compared');
  const repository = app.get(ReconciliationRepository, { strict: false });
  const comparing = repository.comparing.bind(repository);
  const begins = jest.spyOn(repository, 'comparing').mockImplementationOnce(async (...part) => {
    await goBackTo(part[2].height - 1);
    return comparing(...part);
  });
  const settles = jest.spyOn(repository, 'settle');
  const reconciliation = app.get(ReconciliationService, { strict: false });
  expect(await reconciliation.step(await presentTerm(dataSource, 'ethereum'))).toBe(false);
  expect([begins.mock.calls.length, settles.mock.calls.length]).toEqual([1, 0]);
  begins.mockRestore();
  settles.mockRestore();
  await test.catchUp();
});

describe('beside a reorganisation that is under way', () => {
  /** What waits for these statements of another session is judged by what they leave. */
  async function during<T>(statements: string, waiting: () => Promise<T>): Promise<T> {
    const { url } = test.chains.dataSource.options as { url: string };
    const session = new Client({ connectionString: url });
    await session.connect();
    try {
      await session.query('BEGIN');
      await session.query(statements);
      const outcome = waiting();
      const waits = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      await eventually(
        async () => (await session.query(waits)).rowCount,
        (count) => count === 1,
      );
      await session.query('COMMIT');
      return await outcome;
    } finally {
      await session.end();
    }
  }

  it('the progress of a round goes, which was written meanwhile', async () => {
    await test.mine(12);
    await test.catchUp();
    const height = await tipHeight();
    await partAt(height - 4);
    const written = `UPDATE reconciliation SET position = '{"height": ${height}}', whole_at = clock_timestamp()`;
    await during(written, () => goBackTo(height - 2));
    const [row] = await test.chains.dataSource.query<object[]>(
      'SELECT position, whole_at FROM reconciliation',
    );
    expect(row).toEqual({ position: null, whole_at: null });
    await test.catchUp();
  });

  it('no part begins at a block that is being given up', async () => {
    await test.mine(12);
    await test.catchUp();
    const height = await tipHeight();
    const part = await partAt(height);
    const given = `UPDATE chain_cursor SET height = ${height - 2}`;
    expect(await during(given, part.comparing)).toBe(false);
    await test.chains.dataSource.query('UPDATE chain_cursor SET height = $1', [height]);
  });
});

it.each([
  [
    'knows a chain that has not even the first block, and says what that needs',
    '0xother',
    'needs a database of its own',
  ],
  ['takes a balance of which no block is known for one of the first block', null, /Go back to [1-9]/],
])('%s', async (_what, hash, refusal) => {
  test.leaveUncompared('its watcher halts');
  await test.mine(5);
  await test.catchUp();
  const snapshot = await test.anvil.testClient.snapshot();
  const start = Number(await test.anvil.testClient.getBlockNumber());
  await test.send(await test.issue('pi_first'), '1');
  await test.mine(3);
  await test.catchUp();
  await test.chains.dataSource.query('DELETE FROM coin_baseline WHERE height <= $1', [start]);
  await test.chains.dataSource.query(
    `INSERT INTO coin_baseline (network, address, height, hash, unexplained_atoms) VALUES ('ethereum', '0x1', 0, $1, 0)`,
    [hash],
  );
  const { height, rewind } = await replacedChain(snapshot, start);
  await expect(rewind(height)).rejects.toThrow(refusal);
});
