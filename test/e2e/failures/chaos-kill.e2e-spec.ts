import { surviveKillAt, surviveRandomKills } from '../../chaos/kill.js';
import { World } from '../../chaos/world.js';
import { seededRandom } from '../../support/random.js';
import { seedOf } from '../../support/run/seed.js';

// A part of `npm run chaos -- kill`, which comes to every point. Needs a build.
jest.setTimeout(900_000);

/** One of each kind: a write that nobody heard of, a commit in the air, a delivery that was taken and not recorded. */
const POINTS = [
  'intents-create#1 after',
  'COMMIT#2 before',
  'intents-walk#1 after',
  'send webhook#1 after',
  'webhooks-record#2 before',
];

let world: World;

beforeAll(async () => {
  world = await World.create();
});
afterAll(() => world.stop());

it.each(POINTS)('loses and invents nothing when it is killed at %s', async (point) => {
  const { killed } = await surviveKillAt(world, point);
  expect(killed).toBe(true);
});

it('loses and invents nothing when it is killed at random under load', async () => {
  const seed = seedOf('CHAOS_SEED');
  process.stdout.write(`random kills, seed ${seed}\n`);
  expect(await surviveRandomKills(world, 3, seededRandom(seed))).toBeGreaterThan(0);
});
