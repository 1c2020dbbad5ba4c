import { DataSource } from 'typeorm';
import { run } from '../../../src/database/statement.js';
import { hashApiKey } from '../../../src/modules/auth/domain/api-key.js';
import { FactsService } from '../../../src/modules/chains/facts.service.js';
import {
  type KeyedIntentRow,
  liveOf,
  WITH_KEY,
} from '../../../src/modules/intents/data/intents.repository.js';
import type { IntentWithPayment } from '../../../src/modules/intents/intents.types.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { askedBy } from '../../support/database/asked.js';
import { applyAllChanges } from '../../support/intents/decided.js';
import { Money } from '../../support/intents/money.js';
import { ORDER } from '../../support/intents/order.js';
import { SILENT_CHAIN } from '../../support/nodes/wallet.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service, type Shop } from '../../support/service/service.js';

// A read of one payment is one round trip, with what the chains say of it; and it says what the facts that are read by
// themselves say.

/** Of transfers: with more of them the facts are read by themselves. */
const MOST = 20;

let service: Service;
let dataSource: DataSource;
let intents: IntentsService;
let money: Money;
let shop: Shop;

beforeAll(async () => {
  service = await Service.start({ chain: SILENT_CHAIN, standsAt: 1_000 });
  dataSource = service.app.get(DataSource);
  intents = service.app.get(IntentsService);
  money = new Money(service);
  shop = await service.shop();
});
afterAll(() => service?.stop());

/** What the API says, and which statements named the intent meanwhile. */
async function read(id: string, key = shop.key) {
  let body = {} as IntentWithPayment;
  const asked = await askedBy(async () => {
    const response = await fetch(`${service.url}/api/v1/intents/${id}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    body = (await response.json()) as IntentWithPayment;
  });
  const names = asked.filter(({ values }) => values.flat().includes(id)).map(({ name }) => name);
  return { body, names };
}

const ONE = ['intents-find-with-key'];
const TWO = [...ONE, 'chains-facts'];

/** That a read asks these, once no job decides about the intent beside it. */
const readBy = (names: readonly string[], id: string, key = shop.key) =>
  eventually(
    () => read(id, key),
    (found) => found.names.join() === names.join(),
  ).then(({ body }) => body);
const alone = (id: string) => intents.get(shop.merchantId, id);

it('is one statement, whatever has been paid', async () => {
  const { intent } = await intents.create(shop.merchantId, ORDER);
  expect(await readBy(ONE, intent.id)).toEqual(await alone(intent.id));

  const id = await money.picked(shop.merchantId);
  const unpaid = await readBy(ONE, id);
  expect(unpaid).toEqual(await alone(id));
  expect(unpaid.payment).toEqual({
    network: 'ethereum',
    received: '0.00000000',
    missing: '12.50000000',
    transfers: [],
  });

  await money.record(id, { percent: 40 });
  await money.record(id, { percent: 60, blockHeight: 999 });
  await applyAllChanges(service);
  const paid = await readBy(ONE, id);
  expect(paid).toEqual(await alone(id));
  expect(paid).toMatchObject({
    status: 'confirmed',
    payment: { received: '12.50000000', missing: '0.00000000' },
  });
  expect(paid.payment!.transfers.map(({ confirmations }) => confirmations).sort()).toEqual([1000, 2]);
});

it('tells nobody else', async () => {
  const id = await money.picked(shop.merchantId);
  const { key } = await service.shop();
  expect(await readBy(ONE, id, key)).toMatchObject({ status: 404 });
});

it('is decided before it is told where its window has ended', async () => {
  const id = await money.picked(shop.merchantId);
  await money.record(id, { percent: 40 });
  await money.endWindowIn(id, -60_000);
  const { body } = await read(id);
  expect(body).toMatchObject({ status: 'expired', payment: { received: '5.00000000' } });
  expect(body).toEqual(await alone(id));
});

it('is a second one where a stranger has sent a crowd of transfers, so that no key brings thousands above its rate', async () => {
  const id = await money.picked(shop.merchantId);
  for (let n = 0; n < MOST; n += 1) await money.record(id, { percent: 1 });
  await applyAllChanges(service);
  expect(await readBy(ONE, id)).toEqual(await alone(id));
  await money.record(id, { percent: 1 });
  const crowded = await readBy(TWO, id);
  expect(crowded).toEqual(await alone(id));
  expect(crowded.payment!.received).toBe('2.62500000');
});

it('reads all that is known of a transfer as by itself, whatever its size', async () => {
  const id = await money.picked(shop.merchantId, 'ethereum', 'ETH');
  const [first, second] = [await money.record(id), await money.record(id)];
  await money.record(id, { asset: 'UNKNOWN', blindSince: `clock_timestamp() - interval '1 hour'` });
  await money.change(
    id,
    first,
    `sender = '0xa', nonce = 9007199254740993, amount_atoms = 10::numeric ^ 70 + 1, handed_on = '{rpl_1}', superseded = true,
     replaced_by = '0xb', state = 'orphaned', block_height = NULL, block_hash = NULL, block_time = NULL, missing_since = clock_timestamp()`,
  );
  await money.change(
    id,
    second,
    `spends = '{a:0,b:1}', in_place_of = '{rpl_1}', own = true, before_issue = true`,
  );
  const [row] = await run<KeyedIntentRow>(dataSource, WITH_KEY.statement, [hashApiKey(shop.key), id]);
  const facts = await service.app.get(FactsService).of(dataSource, id);
  expect(facts.transfers).toHaveLength(3);
  expect(facts.transfers.map(({ inPlaceOf }) => inPlaceOf.length).sort()).toEqual([0, 0, 1]);
  expect(liveOf(row!)!.facts).toEqual(facts);
});
