import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '../../src/database/migrate.js';
import { startCluster } from '../support/database/cluster.js';
import { postgresPrograms } from '../support/database/installed-postgres.js';
import { seededRandom } from '../support/random.js';
import { CrashingPostgres, type FailingDatabase, surviveCrashes } from './crash.js';
import { ReplicatedPostgres } from './failover.js';
import { pointsOfAPayment, surviveKillAt, surviveRandomKills } from './kill.js';
import { World } from './world.js';

const USAGE = `npm run chaos -- kill  [--from <n>] [--points <n>] [--random <n>] [--seed <n>]
npm run chaos -- crash [--times <n>]
npm run chaos -- failover [--times <n>]

kill   kills the service at every point of a payment, then at random moments under load (200 times)
crash  stops PostgreSQL as a power cut does, under load (20 times)
failover  kills or freezes a primary with a synchronous standby, which takes over, under load (6 times)
`;

/** Payments do not come to their points in the same order every time; a few of them come to all. */
const RECORDINGS = 3;

const say = (text: string) => process.stdout.write(`${text}\n`);

async function kill(from: number, points: number, random: number, seed: number): Promise<void> {
  const stopCluster = await startCluster(true);
  try {
    const world = await World.create();
    try {
      await killAtPoints(world, from, points);
      say(`random kills under load, seed ${seed}`);
      const payments = await surviveRandomKills(world, random, seededRandom(seed), (number) => {
        if (number % 20 === 0) say(`  ${number} kills`);
      });
      say(`survived ${random} random kills: ${payments} payments, no event lost`);
      await world.stop();
      say('cli check: nothing found');
    } catch (error) {
      await world.dispose();
      throw error;
    }
  } finally {
    await stopCluster();
  }
}

async function killAtPoints(world: World, from: number, limit: number): Promise<void> {
  const found = new Set<string>();
  for (let i = 0; i < RECORDINGS; i++) for (const point of await pointsOfAPayment(world)) found.add(point);
  const points = [...found].slice(from - 1, from - 1 + limit);
  say(`${points.length} of ${found.size} points of a payment`);
  let [killed, duplicates] = [0, 0];
  const missed: string[] = [];
  for (const [index, point] of points.entries()) {
    let survival = await surviveKillAt(world, point);
    if (!survival.killed) survival = await surviveKillAt(world, point);
    if (survival.killed) killed += 1;
    else missed.push(point);
    duplicates += survival.duplicates;
    say(`  ${from + index}/${found.size} ${survival.killed ? 'killed' : 'not reached'}: ${point}`);
  }
  say(
    `survived a kill at ${killed} points; ${duplicates} deliveries came twice, each with the same id and body`,
  );
  if (missed.length > 0) say(`not reached by either of two payments: ${missed.join(', ')}`);
}

async function crash(times: number): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rappen-chaos-'));
  try {
    await survive('crashes of PostgreSQL', await CrashingPostgres.start(dataDir), times);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function failover(times: number): Promise<void> {
  await survive('failovers of PostgreSQL', await ReplicatedPostgres.start(postgresPrograms()), times);
}

type Database = FailingDatabase & { readonly url: string; readonly stop: () => Promise<void> };

/** @param failures what they are called */
async function survive(failures: string, database: Database, times: number): Promise<void> {
  try {
    await migrate(database.url);
    const world = await World.create({ databaseUrl: database.url });
    try {
      const report = await surviveCrashes(world, database, times, (number) => say(`  ${number} of ${times}`));
      say(`survived ${times} ${failures}: ${JSON.stringify(report)}`);
      await world.stop();
      say('cli check: nothing found');
    } catch (error) {
      await world.dispose();
      throw error;
    }
  } finally {
    await database.stop();
  }
}

/** The command `npm run chaos`. */
export async function main(args: string[]): Promise<void> {
  const number = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args,
    options: { from: number, points: number, random: number, seed: number, times: number },
    allowPositionals: true,
  });
  if (positionals[0] === 'kill') {
    const { from = '1', points = '1000', random = '200', seed = String(Date.now() % 1_000_000) } = values;
    await kill(Number(from), Number(points), Number(random), Number(seed));
  } else if (positionals[0] === 'crash') {
    await crash(Number(values.times ?? '20'));
  } else if (positionals[0] === 'failover') {
    await failover(Number(values.times ?? '6'));
  } else {
    process.stderr.write(USAGE);
    process.exitCode = 1;
  }
}
