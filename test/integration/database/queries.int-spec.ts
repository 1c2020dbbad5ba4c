import { Pool } from 'pg';
import { writtenPlans } from '../../queries/documents.js';
import { fill } from '../../queries/fill.js';
import { accessesOf, plansOn } from '../../queries/plans.js';
import { namedStatements } from '../../queries/statements.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { itWith } from '../../support/run/tools.js';

/** What docs/queries was written with is so many times larger. */
const INTENTS = 10_000;
const TIMES_LARGER = 100;

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.url, max: 1 });
  pool.on('error', () => undefined);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

// The files of a server elsewhere cannot be made larger.
const ourServer = {
  isFound: process.env.TEST_DATABASE_URL === undefined,
  missing: 'The tests run on a server of somebody else: the plans of statements are NOT tested.',
  mayLackInCi: true,
};

itWith(ourServer)('every named statement uses the indexes that its plan in docs/queries uses', async () => {
  await fill(pool, INTENTS);
  const plans = await plansOn(pool, await namedStatements(), TIMES_LARGER);
  const accesses = (of: ReadonlyMap<string, string>) =>
    Object.fromEntries([...of].map(([name, plan]) => [name, accessesOf(plan)]));
  expect(accesses(plans)).toEqual(accesses(writtenPlans()));
});
