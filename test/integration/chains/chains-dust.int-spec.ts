import { MOST_CHANGED, MOST_GIVEN } from '../../../src/modules/chains/data/fenced.statement.js';
import { RpcNode } from '../../../src/modules/chains/evm/node/rpc-node.js';
import { ChainTest } from '../../chain/chains-fixture.js';

// How many transfers a step writes, and how many become final at once, is up to whoever pays for dust; a statement has its time.

const FOUND = 4_500;
const UNFINAL = 50_000;
const UNDONE = 12_000;

let test: ChainTest;
let address: string;

beforeAll(async () => {
  test = await ChainTest.start();
  test.leaveUncompared('dust by hand is on no chain');
  address = (await test.issue('pi_1')).toLowerCase();
  await test.mine(150);
  await test.catchUp();
  await query(`
    CREATE TABLE changed (n int);
    CREATE FUNCTION note_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO changed SELECT count(*) FROM written; RETURN NULL; END $$;
    CREATE TRIGGER noted_new AFTER INSERT ON transfer REFERENCING NEW TABLE AS written EXECUTE FUNCTION note_changed();
    CREATE TRIGGER noted_old AFTER UPDATE ON transfer REFERENCING NEW TABLE AS written EXECUTE FUNCTION note_changed()`);
});
afterAll(() => test?.stop());

const query = <Row>(sql: string, values: unknown[] = []) => test.chains.dataSource.query<Row[]>(sql, values);

/** Those of a state, and how many of them are final. */
async function transfers(state: string) {
  const sql = `SELECT count(*)::int AS all, (count(*) FILTER (WHERE final))::int AS final FROM transfer WHERE state = $1`;
  const [row] = await query<{ all: number; final: number }>(sql, [state]);
  return row!;
}

/** Of how many transfers one statement wrote at most, since it was asked last. */
async function most(): Promise<number> {
  const [row] = await query<{ most: number }>('SELECT max(n) AS most FROM changed');
  await query('TRUNCATE changed');
  return row!.most;
}

/** As many as if a watcher had written them, in the block at a height below the cursor. */
async function dust(kind: string, length: number, below: number): Promise<void> {
  await query(
    `INSERT INTO transfer (id, network, txid, output, asset, family, address, subject, amount_atoms, state, block_height,
                           block_hash, block_time)
     SELECT $1 || n, b.network, $1, 'log:' || n, 'USDC', 'evm', $2, 'pi_1', 1, 'included', b.height, b.hash, clock_timestamp()
       FROM chain_block b JOIN chain_cursor c ON c.network = b.network AND b.height = c.height - $4::int,
            generate_series(1, $3::int) AS n`,
    [kind, address, length, below],
  );
  await query('TRUNCATE changed');
  await query('DELETE FROM fact_change');
}

const woken = () => query<{ subject: string }>('SELECT subject FROM fact_change');

it('a step writes what it found in statements of a thousand transfers, and all of it', async () => {
  const found = Array.from({ length: FOUND }, (_, i) => ({
    txid: `0x${i % 1_500}`,
    output: `log:${i}`,
    address,
    subject: 'pi_1',
    amountAtoms: 1n,
  }));
  await test.write(found);
  expect([await transfers('included'), await most()]).toEqual([{ all: FOUND, final: 0 }, MOST_GIVEN]);
  await query('DELETE FROM transfer');
});

it('finality that jumps over fifty thousand transfers moves the cursor, and tells once more of what it makes final', async () => {
  await dust('tr_unfinal', UNFINAL, 120);
  await test.mine();
  const before = await test.chains.ledger.cursor('ethereum');
  expect(await test.catchUp()).toBe('synced');
  const { height } = (await test.chains.ledger.cursor('ethereum'))!;
  expect(height).toBe(before!.height + 1);
  expect([await transfers('included'), await most()]).toEqual([
    { all: UNFINAL, final: UNFINAL },
    MOST_CHANGED,
  ]);
  expect(await woken()).toEqual([{ subject: 'pi_1' }]);
  await query('DELETE FROM transfer');
});

it('a reorganisation takes as many away as stood there, and tells of them', async () => {
  await dust('tr_undone', UNDONE, 0);
  await test.reorganise(1);
  await test.mine();
  await test.catchUp();
  expect([await transfers('orphaned'), await most()]).toEqual([{ all: UNDONE, final: 0 }, MOST_CHANGED]);
  expect(await woken()).toEqual([{ subject: 'pi_1' }]);
});

it('a step that cannot be written is half as long the next time, and longer again once it can', async () => {
  const node = new RpcNode(test.anvil.rpcUrl);
  const read = jest.spyOn(node, 'blocks');
  const watcher = test.watcherOn(node);
  await test.mine(100);
  jest
    .spyOn(test.chains.ledger, 'advance')
    .mockRejectedValueOnce(new Error('canceling statement due to statement timeout'));
  await expect(watcher.step()).rejects.toThrow('statement timeout');
  await watcher.step();
  await watcher.step();
  await watcher.step();
  expect(read.mock.calls.map(([from, to]) => to - from + 1)).toEqual([10, 5, 10, 20]);
});
