import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { poolOf } from '../../../src/database/statement.js';
import { FactsService } from '../../../src/modules/chains/facts.service.js';
import { CheckoutIntentsService } from '../../../src/modules/intents/checkout/checkout-intents.service.js';
import { fillEventLog, fillIntents } from '../../bench/fill.js';
import { Money } from '../../support/intents/money.js';
import { SILENT_CHAIN } from '../../support/nodes/wallet.js';
import { Service } from '../../support/service/service.js';

// PostgreSQL plans a prepared statement anew at each execution for as long as a plan for all values looks dearer to it than
// those for the first five values did. Planning takes longer than most of what is asked.

const INTENTS = 20_000;
const EACH = 30;
const CONNECTIONS = 2;
/** Of PostgreSQL: so often it plans for the values before it compares. */
const TRIES = 5;

const ASKED = [
  'intents-find-with-key',
  'intents-list-first',
  'intents-list-first-of-status',
  'chains-facts',
  'chains-changes',
  'chains-unwatched',
  'intents-find-many',
];

let service: Service;
beforeAll(async () => {
  const env = {
    DATABASE_POOL_SIZE: String(CONNECTIONS),
    RATE_LIMIT_READS_PER_MINUTE: '100000',
    RATE_LIMIT_WRITES_PER_MINUTE: '100000',
  };
  service = await Service.start({ chain: SILENT_CHAIN, standsAt: INTENTS + 100, env });
});
afterAll(() => service?.stop());

it('what a server, a buyer and the jobs ask again and again is planned once for each connection', async () => {
  const { merchantId, key } = await service.shop();
  const pool = poolOf(service.app.get(DataSource));
  await fillIntents(pool, merchantId, INTENTS);
  await fillEventLog(pool);
  // What the jobs had planned for empty tables is not what is compared with.
  for (const client of await connectionsOf(pool)) client.release(true);
  const money = new Money(service);
  const [id, ofCoin] = [await money.picked(merchantId), await money.picked(merchantId, 'ethereum', 'ETH')];
  const ok = async (url: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(url, { ...init, headers });
    expect([url, response.ok]).toEqual([url, true]);
    await response.text();
  };
  const api = `${service.url}/api/v1`;
  for (let n = 0; n < EACH; n += 1) {
    const order = { amount: 10, currency: 'CHF', idempotencyKey: `order-${n}` };
    await ok(`${api}/intents`, { method: 'POST', body: JSON.stringify(order) });
    await ok(`${api}/intents/${id}`);
    await ok(`${api}/intents?page=${(n % 5) + 1}`);
    await ok(`${api}/intents?status=settled`);
    await ok(`${api}/intents?status=failed&pageSize=1`);
    await ok(`${api}/events`);
    await ok(`${service.config.checkoutUrl}/pay/${id}`);
    await ok(`${service.config.checkoutUrl}/pay/${ofCoin}`);
    await service.app.get(CheckoutIntentsService).findAll([id, ofCoin]);
    await service.app.get(FactsService).changes(100);
  }
  const plans = await plansOf(pool);
  expect(plans.filter(({ kept }) => kept > 0).map(({ name }) => name)).toEqual(expect.arrayContaining(ASKED));
  expect(plans.filter(({ anew }) => anew > TRIES)).toEqual([]);
});

/** All of a service that has these many. */
const connectionsOf = (pool: Pool) => Promise.all(Array.from({ length: CONNECTIONS }, () => pool.connect()));

/** Of each statement of each connection: how often it was executed by the plan for all values, and by one for its values alone. */
async function plansOf(pool: Pool): Promise<readonly { name: string; kept: number; anew: number }[]> {
  const clients = await connectionsOf(pool);
  try {
    const found = clients.map((client) =>
      client.query<{ name: string; kept: number; anew: number }>(
        'SELECT name, generic_plans::int AS kept, custom_plans::int AS anew FROM pg_prepared_statements',
      ),
    );
    return (await Promise.all(found)).flatMap(({ rows }) => rows);
  } finally {
    for (const client of clients) client.release();
  }
}
