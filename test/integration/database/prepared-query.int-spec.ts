import { type Connection, Pool } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/database/data-source.js';
import { ask, PreparedQuery } from '../../../src/database/prepared-query.js';
import { poolOf } from '../../../src/database/statement.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { eventually } from '../../support/servers/receiver.js';

type Described = { readonly connection: Connection & { describe(...message: unknown[]): unknown } };

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.url, max: 1 });
  await pool.query('CREATE TABLE thing (id integer PRIMARY KEY, name text, at timestamptz)');
  await pool.query(`INSERT INTO thing VALUES (1, 'one', '2026-11-27T12:00:00Z'), (2, NULL, NULL)`);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const ROWS = [
  { id: 1, name: 'one', at: new Date('2026-11-27T12:00:00Z') },
  { id: 2, name: null, at: null },
];
const things = (name: string, least: number) =>
  ask(pool, new PreparedQuery(name, 'SELECT * FROM thing WHERE id >= $1 ORDER BY id', [least]));

async function described(work: () => Promise<unknown>): Promise<number> {
  const client = await pool.connect();
  const describe = jest.spyOn((client as unknown as Described).connection, 'describe');
  client.release();
  await work();
  const { length } = describe.mock.calls;
  describe.mockRestore();
  return length;
}

it('asks a connection for the columns of a statement once, and reads every row by them', async () => {
  expect(
    await described(async () => {
      expect(await things('asked-once', 1)).toEqual(ROWS);
      expect(await things('asked-once', 2)).toEqual(ROWS.slice(1));
      expect(await things('asked-once', 3)).toEqual([]);
      expect(await Promise.all([1, 2].map((least) => things('asked-once', least)))).toEqual([
        ROWS,
        ROWS.slice(1),
      ]);
    }),
  ).toBe(1);
});

it('asks again on another connection', async () => {
  await things('asked-anew', 1);
  const client = await pool.connect();
  client.release(true);
  expect(await described(async () => expect(await things('asked-anew', 1)).toEqual(ROWS))).toBe(1);
});

it('does not read by what the columns were: PostgreSQL refuses', async () => {
  const [before] = await things('other-columns', 1);
  expect(Object.keys(before!)).toEqual(['id', 'name', 'at']);
  await pool.query('ALTER TABLE thing ADD COLUMN more text DEFAULT $$more$$');
  await expect(things('other-columns', 1)).rejects.toThrow('cached plan must not change result type');
  await pool.query('ALTER TABLE thing DROP COLUMN more');
});

it('fails with a trace that leads to whoever asked, and the connection serves on', async () => {
  const ratio = (divisor: number) =>
    ask(pool, new PreparedQuery('ratio', 'SELECT 1 / $1::integer AS ratio', [divisor]));
  expect(await ratio(1)).toEqual([{ ratio: 1 }]);
  const failed = async (): Promise<Error> => {
    try {
      await ratio(0);
      throw new Error('nothing failed');
    } catch (error) {
      return error as Error;
    }
  };
  const { message, stack } = await failed();
  expect(message).toBe('division by zero');
  expect(stack).toContain('prepared-query.int-spec.ts');
  expect(await ratio(1)).toEqual([{ ratio: 1 }]);
});

describe('as every process connects', () => {
  let dataSource: DataSource;
  beforeAll(async () => {
    dataSource = await new DataSource(dataSourceOptions(database.url, 1)).initialize();
  });
  afterAll(() => dataSource.destroy());
  afterEach(() => jest.useRealTimers());

  const prepared = () =>
    dataSource.query<{ name: string }[]>(`SELECT name FROM pg_prepared_statements WHERE name = 'kept'`);

  it('a connection and what it has prepared outlast a quiet spell', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
    await ask(poolOf(dataSource), new PreparedQuery('kept', 'SELECT 1', []));
    jest.advanceTimersByTime(24 * 60 * 60_000);
    expect(poolOf(dataSource).idleCount).toBe(1);
    jest.useRealTimers();
    expect(await prepared()).toEqual([{ name: 'kept' }]);
  });

  it('one that its server has ended is taken by nobody', async () => {
    await ask(poolOf(dataSource), new PreparedQuery('kept', 'SELECT 1', []));
    const [{ pid }] = await dataSource.query<[{ pid: number }]>('SELECT pg_backend_pid() AS pid');
    await pool.query('SELECT pg_terminate_backend($1)', [pid]);
    await eventually(
      () => poolOf(dataSource).totalCount,
      (count) => count === 0,
    );
    expect(await prepared()).toEqual([]);
  });

  it.each(['named', 'TypeORM'])('moments are those that pg reads (%s)', async (how) => {
    const text = `SELECT at FROM unnest(ARRAY[
      '2026-11-27 12:00:59.999999', '2026-02-28 23:59:59.1', '1969-12-31 23:59:59', '0044-03-15 BC', '0001-01-01', '0099-12-31',
      '0101-01-01', '9999-12-31 23:59:59.999', '10000-01-01', 'infinity', '-infinity', NULL]::timestamptz[]) WITH ORDINALITY AS u (at, n)
      ORDER BY n`;
    const rows =
      how === 'named'
        ? await ask(poolOf(dataSource), new PreparedQuery(`moments`, text, []))
        : await dataSource.query<unknown[]>(text);
    const client = await pool.connect();
    await client.query(`SET timezone = 'UTC'`);
    expect(rows).toEqual((await client.query(text)).rows);
    client.release(true);
  });
});
