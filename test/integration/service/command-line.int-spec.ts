import { Command } from 'commander';
import { Client } from 'pg';
import { GROUPS } from '../../../src/cli/groups.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { SILENT_CHAIN, xpubOf } from '../../support/nodes/wallet.js';
import { commandLine, commandsOf, printed } from '../../support/service/command-line.js';

it.each(GROUPS.map((group) => [group.nouns.map(({ name }) => name).join(), group] as const))(
  'the help lists %s as it describes itself when it is loaded',
  async (_names, { nouns, load }) => {
    const program = new Command();
    (await load())(program);
    const loaded = program.commands.map((command) => ({
      name: command.name(),
      description: command.description(),
    }));
    expect(loaded).toEqual(nouns);
  },
);

describe('for a person', () => {
  let database: TestDatabase;
  let merchant: string;

  const place = () => {
    return {
      databaseUrl: database.url,
      ...SILENT_CHAIN,
    };
  };
  const json = async (noun: string, ...words: string[]) =>
    commandLine(place(), await commandsOf(noun), noun, ...words);
  const text = async (noun: string, ...words: string[]) =>
    printed(place(), await commandsOf(noun), noun, ...words);

  beforeAll(async () => {
    database = await createTestDatabase();
    merchant = (await json('merchant', 'create', '--name', 'Shop', '--approved'))['id'] as string;
  });
  afterAll(() => database.drop());

  it('a check ends with its verdict, and a migration says what it did', async () => {
    expect(await text('check')).toMatch(/\nAll \d+ invariants hold\.\n$/);
    expect(await text('migrate')).toBe('The database is up to date: no migration was pending.\n');
  });

  it('lists stand under headings and hold no JSON; --failed lists what was given up, --undelivered the rest too, and tries come newest first', async () => {
    const of = ['--merchant', merchant];
    expect(await text('webhook', 'list', ...of)).toBe('none\n');
    const created = await json('webhook', 'create', ...of, '--url', 'http://localhost:9/hook');
    const endpoint = created['id'] as string;
    const client = new Client(database.url);
    await client.connect();
    await client.query(
      `INSERT INTO event (id, merchant_id, subject, sequence, type, body)
       SELECT 'evt_' || n, $1, 'pi_' || n, 1, 'payment.status', '{}' FROM generate_series(1, 3) n`,
      [merchant],
    );
    await client.query(
      `INSERT INTO delivery (endpoint_id, event_id, state, attempts)
       VALUES ($1, 'evt_1', 'failed', 10), ($1, 'evt_2', 'pending', 1), ($1, 'evt_3', 'pending', 0)`,
      [endpoint],
    );
    const {
      rows: [given],
    } = await client.query<{ id: string }>(
      `INSERT INTO delivery_attempt (delivery_id, number, started_at, duration_ms, http_status, response)
       SELECT id, n, clock_timestamp() + n * interval '1 second', 5, 500 + n, 'try ' || n
       FROM delivery, generate_series(1, 2) n WHERE event_id = 'evt_1' RETURNING delivery_id AS id`,
    );
    await client.end();
    const attempts = await text('webhook', 'attempts', given!.id);
    expect(attempts).toMatch(/502[^]*try 2[^]*501[^]*try 1/);
    const list = await text('webhook', 'list', ...of);
    expect(list).toMatch(/^ID +/);
    expect(list).toContain(endpoint);
    const failed = await text('webhook', 'deliveries', endpoint, '--failed');
    expect([failed.includes('evt_1'), failed.includes('evt_2'), failed.includes('evt_3')]).toEqual([
      true,
      false,
      false,
    ]);
    const undelivered = await text('webhook', 'deliveries', endpoint, '--undelivered');
    expect([undelivered.includes('evt_2'), undelivered.includes('evt_3')]).toEqual([true, false]);
    for (const printedText of [list, failed, undelivered, attempts])
      expect(printedText).not.toMatch(/[{}"]|\[\]/);
  });

  it('a wallet that is set shows its first addresses, to be compared', async () => {
    const set = ['set', '--merchant', merchant, '--network', 'ethereum', '--xpub', xpubOf('Shop')];
    const said = await text('wallet', ...set);
    expect(said).toContain('Compare the first addresses with your wallet');
    expect(said.match(/^ {2}[012] {2}0x[0-9a-fA-F]{40}$/gm)).toHaveLength(3);
    expect(said).not.toMatch(/xpub/);
  });
});
