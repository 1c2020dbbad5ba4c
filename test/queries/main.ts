import { Pool } from 'pg';
import { startCluster } from '../support/database/cluster.js';
import { createTestDatabase } from '../support/database/database.js';
import { documentsOf, writeDocuments, writtenPlans } from './documents.js';
import { fill } from './fill.js';
import { plansOn, shapeOf } from './plans.js';
import { namedStatements } from './statements.js';

const INTENTS = 1_000_000;

/**
 * The command `npm run queries`: writes docs/queries; with `--check` it only compares, and exits 1 where they differ. With
 * `--moved` it keeps the plans: for statements that stand elsewhere by now and say the same.
 */
export async function main(args: string[]): Promise<void> {
  const statements = await namedStatements();
  if (args.includes('--moved')) {
    writeDocuments(documentsOf(statements, writtenPlans()));
    return;
  }
  const plans = await withDatabase(async (pool) => {
    say(`${INTENTS.toLocaleString('en')} intents, which takes some minutes …`);
    await fill(pool, INTENTS);
    return plansOn(pool, statements);
  });
  if (!args.includes('--check')) {
    writeDocuments(documentsOf(statements, plans));
    return;
  }
  const written = writtenPlans();
  const changed = [...plans].filter(([name, plan]) => shapeOf(written.get(name) ?? '') !== shapeOf(plan));
  for (const [name, plan] of changed) say(`${name} is planned otherwise than docs/queries says:\n${plan}\n`);
  if (changed.length > 0) process.exitCode = 1;
}

async function withDatabase<T>(work: (pool: Pool) => Promise<T>): Promise<T> {
  const stopCluster = await startCluster(false);
  try {
    const database = await createTestDatabase();
    const pool = new Pool({ connectionString: database.url, max: 1 });
    // A pool has ended before its connections have, and to one of those the drop of their database is an error.
    pool.on('error', () => undefined);
    try {
      return await work(pool);
    } finally {
      await pool.end();
      await database.drop();
    }
  } finally {
    await stopCluster();
  }
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
