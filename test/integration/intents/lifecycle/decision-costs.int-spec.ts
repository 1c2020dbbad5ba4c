import { ANYBODYS } from '../../../../src/database/by.js';
import { AlertsService } from '../../../../src/modules/alerts/alerts.service.js';
import { IntentsService } from '../../../../src/modules/intents/lifecycle/intents.service.js';
import { StatusWriter } from '../../../../src/modules/intents/lifecycle/status-writer.js';
import { ReviewsService } from '../../../../src/modules/intents/review/reviews.service.js';
import { choose } from '../../../support/checkout/choose.js';
import { type Asked, askedBy } from '../../../support/database/asked.js';
import { by } from '../../../support/intents/by.js';
import { applyAllChanges } from '../../../support/intents/decided.js';
import { Money } from '../../../support/intents/money.js';
import { ORDER } from '../../../support/intents/order.js';
import { SILENT_CHAIN } from '../../../support/nodes/wallet.js';
import { Service } from '../../../support/service/service.js';

// Each block on top of a payment is a decision about it, for as long as its money is not final. What such a decision asks of the
// database is most of what a payment costs.

const TIP = 1_000;

let service: Service;
let money: Money;
let merchantId: string;

beforeAll(async () => {
  service = await Service.start({ chain: SILENT_CHAIN, standsAt: TIP });
  money = new Money(service);
  ({ merchantId } = await service.shop());
});
afterAll(() => service?.stop());

/**
 * The statements of each transaction that locks the intent and ended meanwhile, whoever began it: the jobs of the service run
 * beside the test.
 */
async function transactionsOf(id: string, work: () => Promise<unknown>): Promise<string[][]> {
  const open = new Map<unknown, Asked[]>();
  const found: Asked[][] = [];
  for (const each of await askedBy(work)) {
    if (each.name === 'START TRANSACTION') open.set(each.connection, []);
    const transaction = open.get(each.connection);
    transaction?.push(each);
    if (!['COMMIT', 'ROLLBACK'].includes(each.name)) continue;
    if (transaction?.some(({ name, values }) => name === 'intents-lock' && values[0] === id))
      found.push(transaction);
    open.delete(each.connection);
  }
  expect(found.length).toBeGreaterThan(0);
  return found.map((transaction) => transaction.map(({ name }) => name));
}

const decided = () => applyAllChanges(service);
const LOCKED = ['START TRANSACTION', 'intents-lock'];
const FOUND = ['intents-quotes', 'chains-facts'];
const DECIDED = [...LOCKED, 'chains-is-changed', ...FOUND];
/** What is settled and has nothing open rests (ADR 92). */
const RESTED = ['chains-acknowledge', 'chains-rest', 'COMMIT'];

/** Of whoever comes second, a job or the test: it has been decided. */
const LATE = [...LOCKED, 'chains-is-changed', 'COMMIT'];

/** All transactions that decide it: a job may have come first. */
async function expectStatements(id: string, work: () => Promise<unknown>, statements: string[]) {
  const deciding = (await transactionsOf(id, work)).filter((each) => each.join() !== LATE.join());
  expect(deciding.length).toBeGreaterThan(0);
  for (const transaction of deciding) expect(transaction).toEqual(statements);
}

const settled = async () => {
  const id = await money.picked(merchantId);
  const transferId = await money.record(id);
  await decided();
  expect(await money.status(id)).toBe('settled');
  return { id, transferId };
};

const standing = async (id: string) => {
  const { items } = await service.app.get(AlertsService).list({ merchantId, open: true });
  return items.filter(({ subject }) => subject === id).map(({ kind }) => kind);
};

it('a settled payment to which nothing has happened costs nine statements when it is woken', async () => {
  const { id, transferId } = await settled();
  const woken = async () => {
    await money.change(id, transferId, 'final = final');
    await decided();
  };
  await expectStatements(id, woken, [...DECIDED, 'intents-unsettled-money-recorded', ...RESTED]);
});

it('what another instance has decided meanwhile is not decided again', async () => {
  const { id } = await settled();
  const late = () => service.app.get(StatusWriter).applyChange({ subject: id, version: 1n });
  expect(await transactionsOf(id, late)).toEqual([LATE]);
});

it('a payment settles by one statement more', async () => {
  const id = await money.picked(merchantId);
  const paid = async () => {
    await money.record(id);
    await decided();
  };
  const settling = [...DECIDED, 'intents-walk', 'intents-unsettled-money-recorded', ...RESTED];
  expect(await transactionsOf(id, paid)).toContainEqual(settling);
  expect(await money.status(id)).toBe('settled');
});

describe('what somebody wishes', () => {
  const created = async () => (await service.app.get(IntentsService).create(merchantId, ORDER)).intent.id;
  const cancel = (id: string) =>
    service.app.get(IntentsService).cancel({ whose: merchantId, id, by: by('ann') }, 'cancelled-by-merchant');

  it('is written without a savepoint where nothing was due', async () => {
    const id = await created();
    const [pick] = await transactionsOf(id, () => choose(service, id, 'ethereum', 'USDC'));
    expect(pick).toEqual([
      'START TRANSACTION',
      'intents-lock',
      'intents-quotes',
      'chains-take',
      'chains-issue-address',
      'intents-quote',
      'COMMIT',
    ]);
  });

  it('is judged by merchant, wallets and networks that were asked for together', async () => {
    const id = await created();
    const statements = await askedBy(() => choose(service, id, 'ethereum', 'USDC'));
    const first = statements.findIndex(({ name }) => name === 'merchants-find');
    const together = statements.slice(first, first + 3);
    expect(together.map(({ name }) => name)).toEqual([
      'merchants-find',
      'chains-wallets',
      'chains-standings',
    ]);
    expect(new Set(together.map(({ connection }) => connection)).size).toBe(1);
  });

  it('is refused, where nothing was due, by taking all of it back', async () => {
    const id = await money.picked(merchantId);
    await money.record(id, { blockHeight: TIP });
    await decided();
    expect(await money.status(id)).toBe('confirmed');
    const refused = () => expect(cancel(id)).rejects.toMatchObject({ code: 'conflict' });
    expect(await transactionsOf(id, refused)).toContainEqual([...LOCKED, ...FOUND, 'ROLLBACK']);
    expect(await money.status(id)).toBe('confirmed');
  });

  it('is refused with what was due before it, which stays written', async () => {
    const id = await created();
    await money.endWindowIn(id, -1);
    const refused = () => expect(cancel(id)).rejects.toMatchObject({ code: 'conflict' });
    const kept = ['SAVEPOINT typeorm_1', 'ROLLBACK TO', 'COMMIT'];
    expect(await transactionsOf(id, refused)).toContainEqual(expect.arrayContaining(kept));
    expect(await money.walkOf(id)).toEqual(['initiated', 'expired']);
  });
});

it('what has left the chain is told, and is over when it comes back', async () => {
  const { id, transferId } = await settled();
  await money.change(id, transferId, `state = 'orphaned', block_height = NULL, missing_since = now()`);
  await decided();
  expect(await standing(id)).toEqual(['reorganised-after-settlement']);
  await money.change(id, transferId, `state = 'included', block_height = 1, missing_since = NULL`);
  await decided();
  expect(await standing(id)).toEqual([]);
});

it('what waits for a decision asks for it until it is gone', async () => {
  const { id } = await settled();
  const transferId = await money.record(id, { percent: 50 });
  await decided();
  const queued = async () =>
    (
      await service.app
        .get(ReviewsService)
        .show(ANYBODYS, id)
        .catch(() => null)
    )?.transfers.length;
  expect([await standing(id), await queued()]).toEqual([['review-entry'], 1]);
  const gone = 'block_height = NULL, block_hash = NULL, block_time = NULL';
  await money.change(id, transferId, `state = 'orphaned', missing_since = clock_timestamp(), ${gone}`);
  await decided();
  expect([await standing(id), await queued()]).toEqual([['reorganised-after-settlement'], undefined]);
});
