import { parseEther } from 'viem';
import { NodeHttp } from '../../../../src/modules/chains/watching/node-http.js';
import { ChainTest } from '../../../chain/chains-fixture.js';
import { askedBy } from '../../../support/database/asked.js';
import { fillRows } from '../../../support/database/fill-rows.js';

let test: ChainTest;

beforeAll(async () => {
  test = await ChainTest.start();
});
afterAll(() => test?.stop());

async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const asked = await askedBy(work);
  // The fixture asks for the present term, which the service is told of once a second for all networks.
  return asked.filter(({ text }) => !text.includes('watch_lease') || text.includes('KEY SHARE')).length;
}

describe('a block', () => {
  it('costs as many statements and requests with 10,000 addresses as with 100,000', async () => {
    const ours = await test.issue('pi_counted');
    let blocks = 0;
    const cost = async (): Promise<{ statements: number; requests: number }> => {
      await test.send(ours, '0.01');
      await test.mine();
      blocks += 1;
      const request = jest.spyOn(NodeHttp.prototype, 'post');
      // One look: what a test asks for to look again is none of its cost.
      const statements = await statementsOf(() => test.catchUp(test.watcher()));
      const bodies = request.mock.calls.map(([{ body }]) => JSON.parse(body) as unknown);
      request.mockRestore();
      return { statements, requests: bodies.flat().length };
    };
    const issueMore = (from: number, to: number) =>
      fillRows(
        test.chains.dataSource,
        `INSERT INTO address (family, address, extended_key_id, derivation_index, subject)
         SELECT 'evm', '0x' || lpad(to_hex(i), 40, '0'), (SELECT id FROM extended_key), 1000 + i, 'pi_' || i
           FROM generate_series($1::int, $2::int) i`,
        [from, to],
      );
    await cost();
    const few = await cost();
    // One of them asks whether there is an address without a key, until there is one.
    expect(few.statements).toBeLessThan(14);
    await issueMore(1, 10_000);
    // At the first look at new addresses one more notes what they hold, and one that more are open than are asked for.
    expect((await cost()).statements).toBe(few.statements + 2);
    const many = await cost();
    // Balances are asked for 700 at a time, of the newest 4,200 addresses at most.
    expect(many).toEqual({ statements: few.statements, requests: few.requests + 5 });
    await issueMore(10_001, 100_000);
    await cost();
    expect(await cost()).toEqual(many);
    expect((await test.transfers('pi_counted')).map(({ amountAtoms }) => amountAtoms)).toEqual(
      Array.from({ length: blocks }, () => parseEther('0.01')),
    );
  });
});

it('a catch-up of many blocks wakes those who decide once, at its end', async () => {
  await test.mine(100);
  let woken = 0;
  let steps = 0;
  const told = test.chains.ledger.changed.subscribe(() => (woken += 1));
  const watcher = test.watcher();
  while ((await watcher.step()) === 'more') steps += 1;
  told.unsubscribe();
  expect(steps).toBeGreaterThan(2);
  expect(woken).toBe(1);
});

it('a look that finds nothing new wakes nobody, and a block does', async () => {
  const watcher = test.watcher();
  await test.catchUp(watcher);
  let woken = 0;
  const told = test.chains.ledger.changed.subscribe(() => (woken += 1));
  const look = async () => [await watcher.step(), woken];
  // The cursor, and a transaction that holds the term and says when the network was seen.
  expect(await statementsOf(async () => expect(await look()).toEqual(['synced', 0]))).toBe(5);
  await test.mine();
  expect(await look()).toEqual(['synced', 1]);
  expect(await look()).toEqual(['synced', 1]);
  told.unsubscribe();
});
