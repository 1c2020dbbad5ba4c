import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Address, erc20Abi, parseUnits } from 'viem';
import type { PaymentIntent } from '../../src/modules/intents/intents.types.js';
import type { World } from './world.js';

/** In the order of their sequence: every payment here is punctual and exact. */
export const WALK = ['initiated', 'pending', 'confirmed', 'settled'];
const WALKED_WITHIN_MS = 120_000;

/**
 * One payment as its merchant and its buyer make it, both of whom try again when they get no answer: create, pick,
 * transfer, blocks until it is settled and every delivery is recorded.
 * @param buyer the account that pays, 0 to 9; two payments of one account at once could get the same nonce
 * @returns the intent's id
 */
export async function pay(world: World, buyer = 0): Promise<string> {
  const { intent, address } = await choose(world);
  await transfer(world, buyer, address);
  const deadline = Date.now() + WALKED_WITHIN_MS;
  while (!(await isOver(world, intent.id))) {
    if (Date.now() > deadline) throw new Error(`${intent.id} is still under way\n${world.service.printed}`);
    await world.anvil.testClient.mine({ blocks: 1 });
    await pause(50);
  }
  return intent.id;
}

/** As far as most buyers come: an address is shown, and nothing is paid. @throws Error for one that was shown before */
export async function choose(world: World): Promise<{ intent: PaymentIntent; address: Address }> {
  const intent = await create(world);
  return { intent, address: await pick(world, intent) };
}

export async function create(world: World): Promise<PaymentIntent> {
  const response = await world.persist(`${world.service.url}/api/v1/intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.shop.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 8, currency: 'CHF', idempotencyKey: randomUUID() }),
  });
  return (await response.json()) as PaymentIntent;
}

async function pick(world: World, { id }: PaymentIntent): Promise<Address> {
  const deadline = Date.now() + WALKED_WITHIN_MS;
  for (;;) {
    const picked = await world.persist(`${world.service.checkoutUrl}/pay/${id}/asset`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'network=ethereum&asset=USDC',
    });
    const to = picked.headers.get('location') ?? '';
    if (!to.includes('?')) break;
    // What cannot be watched is not offered: after an outage until the watcher has looked again.
    if (!to.endsWith('notice=option-closed') || Date.now() > deadline)
      throw new Error(`the pick led to ${to}`);
    await pause(100);
  }
  const seen = await world.persist(`${world.service.url}/api/v1/intents/${id}`, {
    method: 'GET',
    headers: { authorization: `Bearer ${world.shop.key}` },
  });
  const address = ((await seen.json()) as PaymentIntent).depositAddress as Address;
  const holder = world.issued.get(address) ?? id;
  if (holder !== id) throw new Error(`${address} was issued to ${holder} and to ${id}`);
  world.issued.set(address, id);
  return address;
}

/** CHF 8 are 10 USDC at the sandbox's rate. */
async function transfer({ anvil }: World, buyer: number, to: Address): Promise<void> {
  const accounts = await anvil.testClient.getAddresses();
  await anvil.testClient.writeContract({
    account: accounts[buyer]!,
    address: anvil.tokens.USDC.address,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [to, parseUnits('10', 6)],
  });
}

async function isOver(world: World, id: string): Promise<boolean> {
  const [row] = await world.rows<{ status: string; open: string }>(
    `SELECT i.status, (SELECT count(*) FROM event e JOIN delivery d ON d.event_id = e.id
                       WHERE e.subject = i.id AND d.state <> 'delivered') AS open
     FROM intent i WHERE i.id = $1`,
    [id],
  );
  return row?.status === 'settled' && Number(row.open) === 0;
}

/**
 * Every event arrived at the receiver, the sequence has no gap, and what arrived twice was the same both times.
 * @throws Error saying what is missing or different
 */
export async function judge(world: World, id: string): Promise<{ duplicates: number }> {
  const { receiver } = world;
  const arrived = receiver.events.filter((event) => event.data.intent.id === id);
  const rows = await world.rows<{ id: string; sequence: number; body: string }>(
    'SELECT id, sequence, body FROM event WHERE subject = $1 ORDER BY sequence',
    [id],
  );
  const statuses = receiver.statusesOf(id);
  if (statuses.join() !== WALK.join()) throw new Error(`${id}: ${statuses.join()} arrived`);
  if (rows.map(({ sequence }) => sequence).join() !== '1,2,3,4')
    throw new Error(`${id}: a gap in the sequence`);
  const written = new Map(rows.map((row) => [row.id, row.body]));
  for (const event of arrived) {
    const body = written.get(event.id);
    if (body === undefined) throw new Error(`${id}: event ${event.id} arrived and is not stored`);
    if (JSON.stringify(JSON.parse(body)) !== JSON.stringify(event)) {
      throw new Error(`${id}: event ${event.id} arrived with another content`);
    }
  }
  if (receiver.refused > 0) throw new Error(`${receiver.refused} deliveries did not verify`);
  return { duplicates: arrived.length - rows.length };
}
