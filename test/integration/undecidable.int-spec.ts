import { DataSource } from 'typeorm';
import type { Command } from 'commander';
import { addIntentCommands } from '../../src/cli/commands/intents.commands.js';
import { addKeyCommands } from '../../src/cli/commands/keys.commands.js';
import { addWebhookCommands } from '../../src/cli/commands/webhooks.commands.js';
import { CLI_ACTOR } from '../../src/modules/accounts/accounts.types.js';
import { AuditLog } from '../../src/modules/accounts/audit/audit-log.service.js';
import { IntentsService } from '../../src/modules/intents/lifecycle/intents.service.js';
import { causeMessage } from '../../src/modules/dashboard/payments/messages.js';
import { IntentRepairService } from '../../src/modules/intents/lifecycle/intent-repair.service.js';
import { ReviewsService } from '../../src/modules/intents/review/reviews.service.js';
import { startTestAnvil, type TestAnvil } from '../support/anvil.js';
import { commandLine } from '../support/command-line.js';
import { Money } from '../support/money.js';
import { eventually } from '../support/receiver.js';
import { Service } from '../support/service.js';
import { by } from '../support/by.js';

let anvil: TestAnvil;
let service: Service;
let money: Money;
let merchantId: string;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  await anvil.testClient.mine({ blocks: 20 }); // so that block 1 is deep enough for anything
  service = await Service.start({ chain: anvil });
  money = new Money(service);
  merchantId = (await service.shop()).merchantId;
});
afterAll(async () => {
  await service?.stop();
  await anvil?.stop();
});

const repair = () => service.app.get(IntentRepairService);
const query = <Row>(sql: string, values: unknown[]) => service.app.get(DataSource).query<Row[]>(sql, values);
const setPrice = (id: string, price: string) =>
  query('UPDATE quote SET price = $2 WHERE intent_id = $1', [id, price]);

/** Money arrives, but the row that must price it holds no price. @returns the price that was there */
async function broken(): Promise<{ id: string; price: string }> {
  const id = await money.picked(merchantId);
  const [row] = await query<{ price: string }>('SELECT price FROM quote WHERE intent_id = $1', [id]);
  await setPrice(id, 'no price');
  await money.record(id);
  return { id, price: row!.price };
}
const givenUp = (id: string) =>
  eventually(
    () => repair().show(id),
    ({ undecided }) => undecided !== null,
  );

it('a payment that cannot be decided says why, holds up no other, and goes on when its row is mended', async () => {
  const { id, price } = await broken();
  const other = await money.picked(merchantId);
  await money.record(other);
  expect(await givenUp(id)).toMatchObject({
    id,
    undecided: { message: expect.stringContaining('holds no price') },
  });
  await eventually(
    () => money.status(other),
    (status) => status === 'settled',
  );

  const place = { databaseUrl: service.config.databaseUrl, rpcUrl: anvil.rpcUrl, tokens: anvil.tokens };
  const shown = await commandLine(place, addIntentCommands, 'intent', 'show', id);
  expect(shown).toMatchObject({ id, undecided: { message: expect.stringContaining('holds no price') } });
  await expect(repair().decide(id)).rejects.toThrow('holds no price');
  const nobody = () => Promise.resolve();
  await expect(repair().close(id, 'expired', nobody)).rejects.toThrow('Its window is open');

  await setPrice(id, price);
  expect(await repair().decide(id)).toMatchObject({ id, status: 'settled' });
  expect(await repair().show(id)).toMatchObject({ status: 'settled', undecided: null });
  await expect(repair().close(id, 'expired', nobody)).rejects.toThrow(
    'Nothing says that it cannot be decided',
  );
});

it('as a last resort it is closed, only as what it was, and its money is in the queue', async () => {
  const { id, price } = await broken();
  await givenUp(id);
  await money.endWindowIn(id, -1);
  const closed: unknown[] = [];
  const record = (_tx: unknown, { merchantId: of }: { merchantId: string }, detail: object) => {
    closed.push({ of, ...detail });
    return Promise.resolve();
  };
  await expect(repair().close(id, 'failed', record)).rejects.toThrow('never complete');
  expect(closed).toEqual([]);
  expect(await repair().close(id, 'expired', record)).toMatchObject({ id, status: 'expired' });
  expect(closed).toEqual([
    {
      of: merchantId,
      from: expect.any(String),
      to: 'expired',
      message: expect.stringContaining('holds no price'),
    },
  ]);
  const [step] = await query(
    'SELECT cause FROM transition WHERE intent_id = $1 ORDER BY sequence DESC LIMIT 1',
    [id],
  );
  expect(step).toEqual({ cause: 'closed-by-operator' });
  const reviews = service.app.get(ReviewsService);
  expect(await reviews.show(id)).toMatchObject({ status: 'expired', received: '12.50000000' });
  await expect(repair().close(id, 'expired', record)).rejects.toThrow(/over already|Nothing says/);

  await setPrice(id, price);
  await reviews.accept(id, by('ann'), 'the row was mended');
  expect(await money.status(id)).toBe('settled');
});

it('whatever the command line changes for a merchant is in its audit log, with who did it', async () => {
  const place = { databaseUrl: service.config.databaseUrl, rpcUrl: anvil.rpcUrl, tokens: anvil.tokens };
  const of = (await service.shop()).merchantId;
  const cli = (add: (program: Command) => void, ...words: string[]) => commandLine(place, add, ...words);
  const key = await cli(addKeyCommands, 'key', 'create', '--merchant', of, '--label', 'Shop');
  await cli(addKeyCommands, 'key', 'revoke', String(key['id']));
  const url = 'http://localhost:9/hook';
  const { id } = await cli(addWebhookCommands, 'webhook', 'create', '--merchant', of, '--url', url);
  await cli(addWebhookCommands, 'webhook', 'set', String(id), '--events', 'payment.status,payment.money');
  await cli(addWebhookCommands, 'webhook', 'rotate', String(id));
  await cli(addWebhookCommands, 'webhook', 'disable', String(id));
  await cli(addWebhookCommands, 'webhook', 'enable', String(id));
  const open = await money.picked(of);
  // What these two commands do beside refusing while a network is not watched; one of theirs is not, here.
  const anna = service.app.get(AuditLog).by(CLI_ACTOR, 'anna');
  await service.app.get(IntentsService).cancelAny(open, anna);
  const late = await money.picked(of);
  await money.record(late, { percent: 50 });
  await money.endWindowIn(late, -1);
  await eventually(
    () => money.status(late),
    (status) => status === 'expired',
  );
  await service.app.get(ReviewsService).dismiss(late, anna, 'too little');

  const entries = await query<{ actor: string; action: string; by: string | null }>(
    `SELECT actor, action, detail ->> 'by' AS by FROM audit_entry WHERE merchant_id = $1 AND actor = 'cli' ORDER BY id`,
    [of],
  );
  expect(entries.map(({ action, by: name }) => [action, name])).toEqual([
    ['key.created', null],
    ['key.revoked', null],
    ['webhook.created', null],
    ['webhook.events-changed', null],
    ['webhook.secret-rotated', null],
    ['webhook.disabled', null],
    ['webhook.enabled', null],
    ['intent.cancelled', 'anna'],
    ['review.dismissed', 'anna'],
  ]);
  const [step] = await query<{ cause: string }>(
    'SELECT cause FROM transition WHERE intent_id = $1 ORDER BY sequence DESC LIMIT 1',
    [open],
  );
  expect(causeMessage(step!.cause)).toBe('The operator of this service cancelled it');
});
