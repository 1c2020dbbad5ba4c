import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../support/servers/receiver.js';
import { judge, pay } from './payment.js';
import type { World } from './world.js';

/** Payments under way at once while the service is killed at random. */
const LANES = 4;
/** Longest life between two random kills: several times what a payment takes. */
const LIFE_MS = 2_000;

export interface Survival {
  readonly point: string;
  /** `false` when the payment passed without coming to this point. */
  readonly killed: boolean;
  /** Deliveries that came more than once. */
  readonly duplicates: number;
}

/** Every instant at which a payment exchanges something with the outside, in the order in which one came to them. */
export async function pointsOfAPayment(world: World): Promise<string[]> {
  await arm(world, null);
  await judge(world, await pay(world));
  return (await disarm(world)) ?? [];
}

/**
 * A payment whose service dies at this point, is started again, and goes on.
 * @throws Error when an event is missing, has changed, or left a gap
 */
export async function surviveKillAt(world: World, point: string): Promise<Survival> {
  await arm(world, point);
  const payment = pay(world);
  const over = payment.then(() => disarm(world));
  await Promise.race([over, world.service.ended()]);
  const killed = !world.service.running;
  if (killed) {
    const end = await world.service.ended();
    if (end !== 'SIGKILL') throw new Error(`the service ended with ${end}:\n${world.service.printed}`);
    await restart(world);
  }
  const { duplicates } = await judge(world, await payment);
  await over;
  return { point, killed, duplicates };
}

/** From here on nothing is a point. @returns what has been passed; `null` when the service has died at one of them */
async function disarm({ service }: World): Promise<string[] | null> {
  if (!service.running) return null;
  service.send({ trail: true });
  return ((await service.answer('trail'))?.['trail'] ?? null) as string[] | null;
}

export async function restart(world: World): Promise<void> {
  await world.letLeasesRunOut();
  await world.service.start();
}

/** @param at the point to die at; `null` only writes down what is passed */
async function arm(world: World, at: string | null): Promise<void> {
  const { service, anvil } = world;
  // What is left of the payment before would count as steps of this one.
  await eventually(
    async () => {
      // Nothing is decided on a chain that stands still.
      await anvil.testClient.mine({ blocks: 1 });
      return (await world.rows('SELECT subject FROM fact_change')).length;
    },
    (left) => left === 0,
  );
  service.send({ arm: at });
  await service.answer('armed');
}

/**
 * Payments one after the other in several lanes while the service dies at random moments, its start included.
 * @param random in [0, 1)
 * @returns how many payments went through
 */
export async function surviveRandomKills(
  world: World,
  kills: number,
  random: () => number,
  onKill: (number: number) => void = () => undefined,
): Promise<number> {
  let payments = 0;
  let over = false;
  const lane = async (buyer: number) => {
    while (!over) {
      await judge(world, await pay(world, buyer));
      payments += 1;
    }
  };
  const lanes = Promise.all(Array.from({ length: LANES }, (_, buyer) => lane(buyer)));
  const killing = (async () => {
    for (let kill = 1; kill <= kills; kill++) {
      await pause(random() * LIFE_MS);
      await world.service.stop('SIGKILL');
      await world.letLeasesRunOut();
      const starting = world.service.start();
      // Now and then before it is even ready.
      if (random() < 0.8 || kill === kills) await starting;
      onKill(kill);
    }
    over = true;
  })();
  await Promise.all([lanes, killing]);
  return payments;
}
