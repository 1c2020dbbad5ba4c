import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/database/data-source.js';
import { type On, pipelined, poolOf, run, type Statement } from '../../../src/database/statement.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';

/** Registered ones have their plans in `docs/queries`. */
const unregistered = (name: string, text: string) => ({ name, text }) as Statement;

const NUMBER = unregistered('test-number', 'SELECT $1::int AS number');
const RATIO = unregistered('test-ratio', 'SELECT 1 / $1::int AS ratio');
const PID = unregistered('test-pid', 'SELECT pg_backend_pid() AS pid, $1::int');
const SLEEP = unregistered('test-sleep', 'SELECT pg_sleep($1::float8)');

let database: TestDatabase;
let dataSource: DataSource;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await new DataSource(dataSourceOptions(database.url, 1)).initialize();
  pool = poolOf(dataSource);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const numbers = (on: On, ...values: number[]) =>
  Promise.all(
    values.map(async (value) => {
      const [row] = await run<{ number: number }>(on, NUMBER, [value]);
      return row?.number;
    }),
  );

/** The sizes of what is written to the only connection meanwhile. */
async function written(work: () => Promise<unknown>): Promise<number[]> {
  const client = await pool.connect();
  const { stream } = client.connection;
  client.release();
  // Node's: several chunks that go out at once, or one.
  const sizes: number[] = [];
  const inner = stream as unknown as Record<
    '_writev' | '_write',
    (data: unknown, ...rest: unknown[]) => unknown
  >;
  const spies = (['_writev', '_write'] as const).map((name) => {
    const write = inner[name].bind(stream);
    return jest.spyOn(inner, name).mockImplementation((data, ...rest) => {
      sizes.push(Array.isArray(data) ? data.length : 1);
      return write(data, ...rest);
    });
  });
  await work();
  for (const spy of spies) spy.mockRestore();
  return sizes;
}

it('sends what is asked together in one write on one connection, and gives each its answer', async () => {
  await numbers(dataSource, 0);
  const writes = await written(async () => {
    expect(await pipelined(dataSource, (on) => numbers(on, 1, 2, 3))).toEqual([1, 2, 3]);
  });
  expect(writes).toHaveLength(1);
  expect(await written(() => numbers(dataSource, 1, 2, 3))).toHaveLength(3);
});

it('sends what is asked later as well', async () => {
  const seen = await pipelined(dataSource, async (on) => {
    const [first = 0] = await numbers(on, 1);
    return numbers(on, first + 1, first + 2);
  });
  expect(seen).toEqual([2, 3]);
});

it('lets one statement fail without the others, and gives the connection back once all are answered', async () => {
  const answers: unknown[] = [];
  const failing = pipelined(dataSource, (on) =>
    Promise.all([
      run(on, RATIO, [0]),
      numbers(on, 5).then((of) => answers.push(...of)),
      run(on, SLEEP, [0.2]).then(() => answers.push('slept')),
    ]),
  );
  // The only connection: whoever waits for it comes after all that was asked on it.
  const next = numbers(dataSource, 6).then((of) => answers.push(...of));
  await expect(failing).rejects.toThrow('division by zero');
  await next;
  expect(answers).toEqual([5, 'slept', 6]);
});

it('asks nothing more of a connection that it has given back', async () => {
  let late: Promise<unknown> = Promise.resolve();
  const failing = pipelined(dataSource, (on) =>
    Promise.all([
      run(on, RATIO, [0]),
      numbers(on, 5).then(() => {
        // Whether the failure has been read by then is the socket's to say.
        late = Promise.allSettled([numbers(on, 6)]).then(async () => {
          await numbers(dataSource, 7);
          return Promise.allSettled([numbers(on, 8)]);
        });
      }),
    ]),
  );
  await expect(failing).rejects.toThrow('division by zero');
  const over = new Error('somebody else may have this connection by now');
  expect(await late).toEqual([{ status: 'rejected', reason: over }]);
});

it('fails with all of its statements where the connection ends, and the pool serves on', async () => {
  const ended = pipelined(dataSource, async (on) => {
    const [row] = await run<{ pid: number }>(on, PID, [1]);
    const asked = Promise.allSettled([run(on, SLEEP, [30]), numbers(on, 7)]);
    const other = new DataSource({ ...dataSourceOptions(database.url, 1) });
    await other.initialize();
    await other.query('SELECT pg_terminate_backend($1)', [row?.pid]);
    await other.destroy();
    return (await asked).map(({ status }) => status);
  });
  expect(await ended).toEqual(['rejected', 'rejected']);
  expect(await numbers(dataSource, 8)).toEqual([8]);
});
