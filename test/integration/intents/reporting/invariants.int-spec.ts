import { DataSource } from 'typeorm';
import { ANYBODYS } from '../../../../src/database/by.js';
import { InvariantsService } from '../../../../src/modules/intents/reporting/invariants.service.js';
import { ReviewsService } from '../../../../src/modules/intents/review/reviews.service.js';
import { MerchantsService } from '../../../../src/modules/merchants/merchants.service.js';
import { WebhooksService } from '../../../../src/modules/webhooks/webhooks.service.js';
import { by } from '../../../support/intents/by.js';
import { applyAllChanges } from '../../../support/intents/decided.js';
import { Money } from '../../../support/intents/money.js';
import { SILENT_CHAIN } from '../../../support/nodes/wallet.js';
import { Service } from '../../../support/service/service.js';

let service: Service;
let dataSource: DataSource;
let invariants: InvariantsService;

/** One intent of each kind of end, and what hangs on it. */
const ids = { settled: '', accepted: '', queued: '', dismissed: '', open: '' };

beforeAll(async () => {
  service = await Service.start({ chain: SILENT_CHAIN, standsAt: 1_000 });
  dataSource = service.app.get(DataSource);
  invariants = service.app.get(InvariantsService);
  await fill();
});
afterAll(async () => {
  await service.stop();
});

async function fill(): Promise<void> {
  const { merchantId } = await service.shop();
  await service.app.get(MerchantsService).set(merchantId, { acceptSeenLate: false }, by('test'));
  const webhooks = service.app.get(WebhooksService);
  await webhooks.createEndpoint({ merchantId, url: 'http://127.0.0.1:9/hook' }, by('test'));
  await dataSource.query(`UPDATE webhook_endpoint SET created_at = now() - interval '1 hour'`);
  const money = new Money(service);
  for (const name of Object.keys(ids) as (keyof typeof ids)[]) ids[name] = await money.picked(merchantId);
  for (const id of [ids.accepted, ids.queued, ids.dismissed]) {
    await money.endWindowIn(id, -1);
    expect(await money.status(id)).toBe('expired');
    await money.record(id, { percent: 60 });
  }
  await money.record(ids.settled, { percent: 70 });
  await money.record(ids.settled, { percent: 70 });
  await applyAllChanges(service);
  await service.app
    .get(ReviewsService)
    .accept({ whose: ANYBODYS, id: ids.accepted, by: by('ann') }, { reason: 'a regular' });
  await service.app
    .get(ReviewsService)
    .dismiss({ whose: ANYBODYS, id: ids.dismissed, by: by('ann') }, { note: 'refunded' });
}

const violated = async (tx = dataSource.manager) =>
  (await invariants.checkIn(tx)).filter(({ violations }) => violations > 0).map(({ invariant }) => invariant);

/** With its decision, at block 7. @param decided how much the decision is about */
const aFinalRefund = (id: string, decided = 1) =>
  `INSERT INTO review_decision (id, intent_id, kind, actor, note, transfers, refund_amount, refund_network, refund_asset,
                                refund_decimals, refund_atoms)
   VALUES ('rev_of_${id}', '${ids.dismissed}', 'refund', 'ann', 'n', '{t}', '1', 'ethereum', 'USDC', 6, ${decided});
   INSERT INTO refund (id, intent_id, merchant_id, network, asset, decimals, atoms, amount, address, depth, transfers, actor,
                       note, asked_height, searched_height, state, txid, output, block_height, block_hash, decision_id)
   SELECT '${id}', id, merchant_id, 'ethereum', 'USDC', 6, 1, '1', '0x', '12', '{}', 'ann',
          'n', 0, 0, 'final', '0xaa', 'log:0', 7, 'hash', 'rev_of_${id}' FROM intent WHERE id = '${ids.dismissed}';`;

/** What breaks each invariant, once nothing of the database stands in the way. */
const BREAKS: Readonly<Record<string, () => string>> = {
  'one event per transition, with the same sequence': () =>
    `UPDATE event SET subject = '${ids.open}', sequence = 9 WHERE subject = '${ids.settled}' AND sequence = 2`,
  'one transition per event': () =>
    `INSERT INTO event (id, merchant_id, type, subject, sequence, body)
     SELECT 'evt_stray', merchant_id, 'payment.status', id, 9, '{}' FROM intent WHERE id = '${ids.open}'`,
  'sequences without gaps, ending where the intent stands': () =>
    `DELETE FROM transition WHERE intent_id = '${ids.settled}' AND sequence = 2`,
  'confirmed and settled at the time of the transition': () =>
    `UPDATE intent SET settled_at = settled_at - interval '1 year' WHERE id = '${ids.settled}'`,
  'an intent ends once, but for an expired one that was accepted': () =>
    `INSERT INTO transition (intent_id, sequence, from_status, to_status, cause, event_id, created_at)
     VALUES ('${ids.queued}', 3, 'expired', 'failed', 'test', 'evt_none', now())`,
  'one delivery per event and endpoint that existed': () =>
    `DELETE FROM delivery WHERE event_id = (SELECT id FROM event WHERE subject = '${ids.settled}' AND sequence = 4)`,
  'every event of a payment has a place in the log, or waits for one': () =>
    `WITH gone AS (DELETE FROM event_log_pending) DELETE FROM event_log`,
  'places in the log without gaps, an intent’s in their sequence': () =>
    `INSERT INTO event_log (merchant_id, position, event_id)
     SELECT merchant_id, 1000 - row_number() OVER (ORDER BY sequence, type), id FROM event WHERE subject = '${ids.settled}'
     ON CONFLICT (event_id) DO UPDATE SET position = excluded.position`,
  'one event per announced money, with the same sequence': () =>
    `UPDATE event SET sequence = 9 WHERE subject = '${ids.queued}' AND type = 'payment.money'`,
  'one announced money per event': () => `DELETE FROM unsettled_money WHERE intent_id = '${ids.queued}'`,
  'sequences of money without gaps': () =>
    `UPDATE unsettled_money SET sequence = 2 WHERE intent_id = '${ids.queued}'`,
  'counts per status are the rows': () =>
    `UPDATE intent_count SET intents = intents + 1 WHERE status = 'expired'`,
  'the figures of days are those of the rows': () =>
    `UPDATE intent_day SET forgiven_minor = forgiven_minor + 1`,
  'an idempotency key has one intent': () => `UPDATE intent SET idempotency_key = 'one'`,
  'an event says that it received what its transfers add up to': () =>
    `UPDATE event SET body = jsonb_set(body::jsonb, '{data,payment,received}', '"17.50000005"')::text
     WHERE subject = '${ids.settled}' AND sequence = 4`,
  'settled has a record that covers the amount, or an accept': () =>
    `DELETE FROM settlement WHERE intent_id = '${ids.settled}'`,
  'only settled has a record': () => `UPDATE intent SET status = 'pending' WHERE id = '${ids.settled}'`,
  'an accept is a decision that somebody made': () =>
    `UPDATE settlement SET accepted_by = 'eve' WHERE intent_id = '${ids.accepted}'`,
  'a settlement received what its transfers add up to': () =>
    `UPDATE settlement SET received_atoms = received_atoms + 1 WHERE intent_id = '${ids.settled}'`,
  'a settlement rests on transfers that were final': () =>
    `UPDATE settlement SET transfers = jsonb_set(transfers, '{0,blockHeight}', '1000') WHERE intent_id = '${ids.settled}'`,
  'what settled is on the chain as it was, or the merchant has been told': () =>
    `UPDATE transfer SET amount_atoms = amount_atoms - 1 WHERE subject = '${ids.settled}'`,
  'live money of an intent that is over is settled, decided about, or in the queue': () =>
    `DELETE FROM review_entry WHERE intent_id = '${ids.queued}'`,
  'the queue holds live money of intents that are over, and nothing that was decided': () =>
    `UPDATE transfer SET state = 'replaced', block_height = NULL, block_hash = NULL, block_time = NULL
     WHERE subject = '${ids.queued}'`,
  'a transfer takes the place of others at its own address alone': () =>
    `UPDATE transfer SET in_place_of = ARRAY(SELECT id FROM transfer WHERE subject = '${ids.queued}')
     WHERE subject = '${ids.settled}'`,
  'final money of an intent that is over is settled or announced': () =>
    `WITH gone AS (DELETE FROM unsettled_money WHERE intent_id = '${ids.queued}')
     UPDATE transfer SET final = true WHERE subject = '${ids.queued}'`,
  'announced money is on the chain as it was, or the merchant has been told': () =>
    `UPDATE transfer SET amount_atoms = amount_atoms - 1 WHERE subject = '${ids.queued}'`,
  'no more is refunded than what was announced or too much, or the merchant has been told': () =>
    `INSERT INTO review_decision (id, intent_id, kind, actor, note, transfers, refund_amount, refund_network,
                                  refund_asset, refund_decimals, refund_atoms)
     SELECT 'rev_more', intent_id, 'refund', 'eve', 'n', ARRAY[transfer_id], '99', network, asset, decimals,
            amount_atoms + 1
     FROM unsettled_money WHERE intent_id = '${ids.dismissed}'`,
  'a final refund is a decision about the same money': () => aFinalRefund('rf_a', 2),
  'a refund that is deep on its chain is in the books': () =>
    `UPDATE chain_cursor SET height = height + 100 WHERE network = 'ethereum';
     INSERT INTO refund (id, intent_id, merchant_id, network, asset, decimals, atoms, amount, address, depth, transfers,
                         actor, note, asked_height, searched_height, state, txid, output, block_height, block_hash, changed_at)
     SELECT 'rf_a', id, merchant_id, 'ethereum', 'USDC', 6, 1, '1', '0x', '12', '{}', 'ann', 'n', 0, 0, 'seen', '0xaa',
            'log:0', 7, 'hash', now() - interval '2 hours' FROM intent WHERE id = '${ids.dismissed}'`,
  'a movement pays back one refund of a merchant': () =>
    `DROP INDEX refund_movement; ${aFinalRefund('rf_a')} ${aFinalRefund('rf_b')}`,
  'a final refund is in a block that was passed, or the merchant has been told': () =>
    `INSERT INTO chain_block (network, height, hash, recorded_at)
     VALUES ('ethereum', 7, 'other', now() - interval '2 minutes'); ${aFinalRefund('rf_a')}`,
  'what is on its way back is looked for, or the merchant has been told': () =>
    `INSERT INTO refund (id, intent_id, merchant_id, network, asset, decimals, atoms, amount, address, depth, transfers,
                         actor, note, asked_height, searched_height, search_ended_at)
     SELECT 'rf_a', id, merchant_id, 'ethereum', 'USDC', 6, 1, '1', '0x', '12', '{}', 'ann', 'n', 0, 0, now()
     FROM intent WHERE id = '${ids.dismissed}'`,
  'an address belongs to one intent': () =>
    `UPDATE address SET subject = '${ids.open}' WHERE subject = '${ids.settled}'`,
  'a quote is paid at its own intent’s address': () =>
    `UPDATE address SET subject = '${ids.open}' WHERE subject = '${ids.queued}'`,
  'no two quotes share an address': () =>
    `UPDATE quote SET watched_address = (SELECT watched_address FROM quote WHERE intent_id = '${ids.open}')`,
  'an intent shows a quote of its own': () =>
    `UPDATE intent SET quote_id = (SELECT quote_id FROM intent WHERE id = '${ids.queued}') WHERE id = '${ids.open}'`,
  'a settlement takes a quote of its own intent, in its asset': () =>
    `UPDATE settlement SET quote_id = (SELECT quote_id FROM intent WHERE id = '${ids.open}')
     WHERE intent_id = '${ids.accepted}'`,
  'what waits, was announced or goes back is in the list of its own merchant': () =>
    `UPDATE review_entry SET merchant_id = 'mer_another' WHERE intent_id = '${ids.queued}'`,
  'a merchant is paid to a key or an address of its own': () =>
    `UPDATE extended_key SET merchant_id = 'mer_another'`,
  'an event goes to endpoints of its own merchant alone': () =>
    `UPDATE webhook_endpoint SET merchant_id = 'mer_another'`,
};

it('holds for every kind of end', async () => {
  expect(await violated()).toEqual([]);
});

it('has a way to break each invariant below', async () => {
  const checked = (await invariants.check()).map(({ invariant }) => invariant);
  expect(Object.keys(BREAKS)).toEqual(checked);
});

/** Nothing is kept of the block that came in the place of its own. */
const givenUpLongAgo = () =>
  `${aFinalRefund('rf_a')} UPDATE refund SET given_up_at = now() - interval '2 minutes';
   UPDATE chain_cursor SET height = greatest(height, 7) WHERE network = 'ethereum';
   DELETE FROM chain_block WHERE height <= 7`;

it.each([
  ...Object.entries(BREAKS),
  ['a final refund is in a block that was passed, or the merchant has been told', givenUpLongAgo] as const,
  [
    'confirmed and settled at the time of the transition',
    () => `UPDATE intent SET confirmed_at = confirmed_at - interval '1 hour' WHERE id = '${ids.accepted}'`,
  ] as const,
])('reports a database in which it is not so that %s', async (name, change) => {
  const runner = dataSource.createQueryRunner();
  await runner.startTransaction();
  try {
    // As a superuser by hand: no trigger, no foreign key, no unique index.
    await runner.query(`SET LOCAL session_replication_role = replica`);
    await runner.query(`ALTER TABLE intent DROP CONSTRAINT intent_merchant_id_idempotency_key_key`);
    await runner.query(`ALTER TABLE quote DROP CONSTRAINT quote_family_watched_address_key`);
    await runner.query(`ALTER TABLE intent DROP CONSTRAINT intent_check1, DROP CONSTRAINT intent_check2`);
    expect(await violated(runner.manager)).toEqual([]);
    await runner.query(change());
    expect(await violated(runner.manager)).toContain(name);
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
});
