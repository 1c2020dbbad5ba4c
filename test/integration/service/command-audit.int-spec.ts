import { Command } from 'commander';
import { DataSource } from 'typeorm';
import { GROUPS } from '../../../src/cli/groups.js';
import { LinksService } from '../../../src/modules/accounts/sign-in/links.service.js';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import { RefundsService } from '../../../src/modules/intents/review/refunds.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { failedDelivery } from '../../support/dashboard/dashboard-stage.js';
import { Staff } from '../../support/dashboard/staff.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { by } from '../../support/intents/by.js';
import { applyAllChanges } from '../../support/intents/decided.js';
import { Money, standAtTip } from '../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { xpubOf } from '../../support/nodes/wallet.js';
import { commandsOf, printed } from '../../support/service/command-line.js';
import { Service } from '../../support/service/service.js';

const READS = 'reads';

/** Commands that leave no entry, each with why. */
const EXEMPT: Readonly<Record<string, string>> = {
  'merchant list': READS,
  'key list': READS,
  'wallet list': READS,
  'user invitations': READS,
  'user operators': READS,
  'webhook list': READS,
  'webhook deliveries': READS,
  'webhook attempts': READS,
  'intent show': READS,
  'review list': READS,
  'review show': READS,
  'refund list': READS,
  'refund show': READS,
  'alert list': READS,
  'chain show': READS,
  'treasury show': READS,
  'treasury plan': READS,
  'treasury collect':
    'sends transactions that are on the chain for everybody to see, to where the money could go alone',
  'secrets status': READS,
  export: READS,
  check: READS,
  migrate: 'changes the tables, the log among them, and no word in them; what was applied is in the database',
  retention: 'does at once what the service does each hour by itself',
  'contracts deploy':
    'sends a transaction that is on the chain for everybody to see, and changes nothing here',
  'demo fill':
    'works in the sandbox alone: its orders, payments and decisions leave the entries that they leave anywhere',
};

/** Makes what the command needs. @returns the words of each run that must leave one entry */
type Words = readonly string[];
type Runs = () => readonly Words[] | Promise<readonly Words[]>;
const run = (...words: string[]) => [words];

/** Every other command, with a run that changes something. */
const CHANGES: Readonly<Record<string, Runs>> = {
  'merchant create': () => run('--name', 'A new one'),
  'merchant approve': async () => run(await aMerchant('pending')),
  'merchant suspend': async () => run(await aMerchant()),
  'merchant close': async () => run(await aMerchant()),
  'merchant set': async () => run(await aMerchant(), '--tolerance-bps', '77'),
  'key create': () => run('--merchant', shop),
  'key revoke': async () => run(await aKey()),
  'user invite': () => run('--email', 'new@staff.example', '--merchant', shop, '--role', 'developer'),
  'user withdraw': async () => {
    const to = ['--email', 'withdrawn@staff.example'];
    await cli('user', 'invite', ...to, '--operator', '--by', 'anna');
    const whose = ['--email', await aPerson()];
    await cli('user', 'reset', ...whose);
    return [to, whose];
  },
  'user dismiss': async () => run('--email', await anOperator()),
  'user confirm': async () => run('--email', await aPerson()),
  'user reset': async () => run('--email', await aPerson()),
  'wallet set': async () =>
    run('--merchant', await aMerchant(), '--network', 'ethereum', '--xpub', xpubOf('set')),
  'wallet skip': () => run('--merchant', shop, '--network', 'ethereum', '--to', '5000'),
  'wallet recover': () => run('--merchant', shop, '--network', 'ethereum', '--beyond', '9000'),
  'wallet own': () => {
    const own = ['--merchant', shop, '--network', 'ethereum', '--address', `0x${'5'.repeat(40)}`];
    return [own, [...own, '--remove']];
  },
  'webhook create': async () => run('--merchant', await aMerchant(), '--url', DEAF),
  'webhook set': async () => run(await anEndpoint(), '--events', 'payment.money'),
  'webhook rotate': async () => run(await anEndpoint()),
  'webhook disable': async () => run(await anEndpoint()),
  'webhook enable': async () => run(await aDisabledEndpoint()),
  'webhook test': async () => run(await anEndpoint()),
  'webhook redeliver': async () => {
    const { endpoint, delivery } = await aDelivery();
    return [[delivery], ['--endpoint', endpoint, '--failed-since', '2026-01-01T00:00:00Z']];
  },
  'intent cancel': async () => run(await money.picked(shop)),
  'intent decide': async () => run(await money.picked(shop)),
  'intent close': async () => run(await undecidable(), '--as', 'expired', '--note', 'a note'),
  'review accept': async () => run(await queued(), '--reason', 'a reason'),
  'review dismiss': async () => run(await queued(), '--note', 'a note'),
  'review refund': async () => run(await queued(), '--note', 'a note', '--refund-amount', '1'),
  'refund ask': async () => {
    const to = ['--amount', '1', '--address', `0x${'6'.repeat(40)}`];
    return run(await queued(), ...to, '--note', 'a note');
  },
  'refund sent': async () => run(await aRefund(), '--txid', `0x${'ab'.repeat(32)}`),
  'refund resume': async () => {
    const id = await aRefund();
    await service.app
      .get(DataSource)
      .query(`UPDATE refund SET search_ended_at = clock_timestamp() WHERE id = $1`, [id]);
    return run(id);
  },
  'refund withdraw': async () => run(await aRefund(), '--sure'),
  'alert acknowledge': async () => run(await anAlert()),
  'secrets rekey': () => run('--leave-unknown'),
  'chain rewind': () => run('--network', 'ethereum', '--to', '0', '--yes'),
};

const DEAF = 'http://127.0.0.1:9/hook';

let database: TestDatabase;
let anvil: TestAnvil;
let service: Service;
let money: Money;
let shop: string;

beforeAll(async () => {
  database = await createTestDatabase();
  // Facts are written by hand, and the cursors say that none is missed. The service itself reaches no node.
  await standAtTip(database.url, 1_000, ['ethereum', 'polygon']);
  anvil = await startTestAnvil();
  service = await Service.start({
    databaseUrl: database.url,
    chain: { rpcUrl: 'http://127.0.0.1:9', tokens: anvil.tokens },
  });
  money = new Money(service);
  shop = (await service.shop()).merchantId;
  await service.app.get(MerchantsService).set(shop, { acceptSeenLate: false }, by('test'));
});
afterAll(async () => {
  await service?.stop();
  await anvil?.stop();
  await database?.drop();
});

const query = <Row>(sql: string, values: readonly unknown[] = []) =>
  service.app.get(DataSource).query<Row[]>(sql, [...values]);

it.each(Object.entries(EXEMPT))('%s takes no --by: it %s', async (name) => {
  const command = (await leaves()).get(name);
  expect(command?.options.map(({ long }) => long)).not.toContain('--by');
});

it('each command of the program changes something or is named as exempt', async () => {
  expect([...(await leaves()).keys()].sort()).toEqual(
    [...Object.keys(CHANGES), ...Object.keys(EXEMPT)].sort(),
  );
});

// `chain rewind` is the last: nothing is decided on a network whose cursor is behind.
it.each(Object.keys(CHANGES))('%s leaves one entry, with who it was', async (name) => {
  for (const words of await CHANGES[name]!()) {
    const [before] = await query<{ last: string }>('SELECT coalesce(max(id), 0) AS last FROM audit_entry');
    await cli(...name.split(' '), ...words, '--by', 'anna');
    const entries = await query(
      `SELECT actor, detail->>'by' AS by, action, address FROM audit_entry WHERE id > $1`,
      [before!.last],
    );
    const action = expect.stringMatching(/^[a-z]+\.[a-z-]+$/) as string;
    expect(entries).toEqual([{ actor: 'cli', by: 'anna', action, address: null }]);
  }
});

it('lists whom it was offered to run the instance, and takes that back once', async () => {
  const email = 'operate@staff.example';
  await cli('user', 'invite', '--email', email, '--operator');
  const listed = async () => {
    const open = JSON.parse(await cli('user', 'invitations', '--json')) as { email: string }[];
    return open.filter((one) => one.email === email);
  };
  expect(await listed()).toMatchObject([
    { merchantId: null, role: null, isOperator: true, invitedBy: 'cli', delivery: 'shown' },
  ]);
  await cli('user', 'withdraw', '--email', email.toUpperCase());
  expect(await listed()).toEqual([]);
  const again = cli('user', 'withdraw', '--email', email);
  await expect(again).rejects.toThrow(`no open invitation of ${email}, nor a link that sets a new password.`);
});

it('takes back a link that sets a new password, and leaves it where only a merchant’s invitations are meant', async () => {
  const whose = ['--email', await aPerson()];
  const { url } = JSON.parse(await cli('user', 'reset', ...whose, '--json')) as { url: string };
  const isGood = async () => (await service.app.get(LinksService).look(url.split('/').at(-1)!)) !== null;
  await expect(cli('user', 'withdraw', ...whose, '--merchant', shop)).rejects.toThrow('no open invitation');
  expect(await isGood()).toBe(true);
  expect(JSON.parse(await cli('user', 'withdraw', ...whose, '--json'))).toEqual({
    email: whose[1],
    withdrawn: true,
    invitation: false,
    resetLink: true,
  });
  expect(await isGood()).toBe(false);
  await expect(cli('user', 'withdraw', ...whose)).rejects.toThrow('nor a link');
});

it('lists who runs the instance, until they are dismissed, and dismisses nobody else', async () => {
  const email = await anOperator();
  const other = await aPerson();
  await query(
    `UPDATE person SET totp_secret = 'sealed', totp_enabled_at = clock_timestamp() WHERE email = $1`,
    [email],
  );
  const unknown = 'unknown@staff.example';
  await query(`INSERT INTO person (id, email, is_operator) VALUES ('usr_unknown', $1, true)`, [unknown]);
  const listed = async () =>
    JSON.parse(await cli('user', 'operators', '--json')) as { email: string; since: string | null }[];
  const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string;
  const operators = await listed();
  expect(operators).toContainEqual({ email, since, hasSecondFactor: true });
  expect(operators).toContainEqual({ email: unknown, since: null, hasSecondFactor: false });
  expect(operators.map((one) => one.email)).not.toContain(other);
  expect(await cli('user', 'operators')).toMatch(/^EMAIL +SINCE +HAS SECOND FACTOR\n/);
  expect(JSON.parse(await cli('user', 'dismiss', '--email', email, '--json'))).toEqual({
    email,
    dismissed: true,
  });
  expect((await listed()).map((one) => one.email)).not.toContain(email);
  for (const nobody of [email, other, 'nobody-at-all@staff.example'])
    await expect(cli('user', 'dismiss', '--email', nobody)).rejects.toThrow(`${nobody} is no operator.`);
});

it('is signed by whoever runs it, where nobody is named, and by nobody without a name', async () => {
  await cli('key', 'create', '--merchant', shop);
  const [entry] = await query<{ by: string }>(
    `SELECT detail->>'by' AS by FROM audit_entry ORDER BY id DESC LIMIT 1`,
  );
  expect(entry!.by).not.toBe('');
  const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await expect(cli('key', 'create', '--merchant', shop, '--by', ' ')).rejects.toThrow('Name somebody');
  } finally {
    said.mockRestore();
  }
});

async function leaves(): Promise<Map<string, Command>> {
  const program = new Command();
  for (const { load } of GROUPS) (await load())(program);
  return new Map(under(program, []));
}

function under(command: Command, path: readonly string[]): [string, Command][] {
  if (command.commands.length === 0) return [[path.join(' '), command]];
  return command.commands.flatMap((one) => under(one, [...path, one.name()]));
}

/** What a command says of itself by its exit code is not the test's. */
async function cli(...words: string[]): Promise<string> {
  const place = { databaseUrl: database.url, rpcUrl: anvil.rpcUrl, tokens: anvil.tokens };
  try {
    return await printed(place, await commandsOf(words[0]!), ...words);
  } finally {
    process.exitCode = 0;
  }
}

async function json(...words: string[]): Promise<string> {
  const { id } = JSON.parse(await cli(...words, '--json')) as { id: string };
  return id;
}

const aMerchant = (...[pending]: 'pending'[]) =>
  json('merchant', 'create', '--name', 'Shop', ...(pending ? [] : ['--approved']));
const aKey = () => json('key', 'create', '--merchant', shop);
const anEndpoint = async () => json('webhook', 'create', '--merchant', await aMerchant(), '--url', DEAF);
const aDisabledEndpoint = async () => {
  const id = await anEndpoint();
  await cli('webhook', 'disable', id);
  return id;
};
const anOperator = async () => (await Staff.of(service, { isOperator: true })).email;
const aPerson = async () => (await Staff.of(service, { merchantId: shop, role: 'reviewer' })).email;

async function aDelivery(): Promise<{ endpoint: string; delivery: string }> {
  const endpoint = await anEndpoint();
  return { endpoint, delivery: await failedDelivery(service, endpoint) };
}

/** An expired intent with final money in the queue. */
async function queued(): Promise<string> {
  const id = await money.picked(shop);
  await money.endWindowIn(id, -1);
  expect(await money.status(id)).toBe('expired');
  await money.record(id);
  await applyAllChanges(service);
  return id;
}

/** Its row cannot be read, and the service has said so. */
async function undecidable(): Promise<string> {
  const id = await money.picked(shop);
  await query(`UPDATE quote SET price = 'no price' WHERE intent_id = $1`, [id]);
  await money.record(id);
  await money.endWindowIn(id, -1);
  const about = { kind: 'intent-undecidable', subject: id, merchantId: null } as const;
  const words = { summary: 'Cannot be decided', detail: 'It holds no price.' };
  const dataSource = service.app.get(DataSource);
  await service.app.get(AlertsService).raise(dataSource.manager, { ...about, ...words });
  return id;
}

async function aRefund(): Promise<string> {
  const wanted = { network: null, asset: null, amount: '1', address: `0x${'6'.repeat(40)}`, note: 'a note' };
  return (await service.app.get(RefundsService).ask(shop, await queued(), wanted, by('test'))).id;
}

async function anAlert(): Promise<string> {
  const about = { kind: 'rates-unavailable', subject: 'audit', merchantId: null } as const;
  const alert = { ...about, summary: 'No price', detail: 'Nobody says it.' };
  await service.app.get(AlertsService).raise(service.app.get(DataSource).manager, alert);
  const [row] = await query<{ id: string }>(`SELECT id FROM alert WHERE subject = 'audit'`);
  return row!.id;
}
