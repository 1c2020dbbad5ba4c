import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/database/data-source.js';
import { migrate } from '../../../src/database/migrate.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await new DataSource(dataSourceOptions(database.url, 2)).initialize();
});
afterAll(async () => {
  await dataSource?.destroy();
  await database?.drop();
});

/** A database as it was before a migration. */
async function before(name: string): Promise<void> {
  const isApplied = async () =>
    (await dataSource.query<unknown[]>('SELECT FROM migrations WHERE name LIKE $1', [`${name}%`])).length > 0;
  expect(await isApplied()).toBe(true);
  while (await isApplied()) await dataSource.undoLastMigration();
}

async function insertKey(id: string, networks: readonly string[], addresses: number): Promise<void> {
  await dataSource.query(
    `INSERT INTO extended_key (id, merchant_id, family, xpub, key_material, next_index)
     VALUES ($1, 'mer_old', 'evm', $1, $1, $2)`,
    [id, addresses],
  );
  for (const network of networks) {
    const wallet = ['mer_old', network, id];
    await dataSource.query(
      'INSERT INTO wallet (merchant_id, network, extended_key_id) VALUES ($1, $2, $3)',
      wallet,
    );
  }
  await dataSource.query(
    `INSERT INTO address (family, address, extended_key_id, derivation_index, subject)
     SELECT 'evm', $1 || n, $1, n, $1 || n FROM generate_series(0, $2::int - 1) n`,
    [id, addresses],
  );
}

it('0041: keys without addresses are searched like new ones, and those that have issued some are not', async () => {
  await before('0041');
  await dataSource.query(`INSERT INTO merchant (id, name, status) VALUES ('mer_old', 'Old', 'approved')`);
  await insertKey('xk_new', ['polygon', 'ethereum'], 0);
  await insertKey('xk_used', ['base'], 2);
  await insertKey('xk_replaced', [], 0);
  await insertKey('xk_waiting', ['arbitrum', 'optimism'], 0);
  await dataSource.query(`UPDATE extended_key SET unsearched = '{optimism}' WHERE id = 'xk_waiting'`);
  await migrate(database.url);
  const rows = await dataSource.query<{ id: string; unsearched: string[] }[]>(
    'SELECT id, unsearched FROM extended_key ORDER BY id',
  );
  expect(Object.fromEntries(rows.map(({ id, unsearched }) => [id, unsearched]))).toEqual({
    xk_new: ['ethereum', 'polygon'],
    xk_replaced: [],
    xk_used: [],
    xk_waiting: ['optimism'],
  });
});

it('0053: what was inherited stays with what one transfer alone can have left it to, and with nothing else', async () => {
  await before('0053');
  await dataSource.query(`INSERT INTO merchant (id, name, status) VALUES ('mer_old', 'Old', 'approved')
                          ON CONFLICT DO NOTHING`);
  await insertKey('xk_heir', [], 1);
  const insert = (id: string, replacedBy: string | null, inherited: readonly string[]) =>
    dataSource.query(
      `INSERT INTO transfer (network, family, id, txid, output, asset, address, subject, amount_atoms, state,
                             replaced_by, superseded, inherited)
       VALUES ('ethereum', 'evm', $1, $1, 'log:0', 'USDC', 'xk_heir0', 'xk_heir0', 10, $2, $3, $4,
               (SELECT coalesce(jsonb_agg(jsonb_build_object('atoms', a, 'at', now(), 'seenAt', now())), '[]')
                  FROM unnest($5::text[]) a))`,
      [id, replacedBy ? 'replaced' : 'mempool', replacedBy, replacedBy !== null, inherited],
    );
  await insert('tr_first', 'tr_heir', []);
  await insert('tr_heir', null, ['10']);
  await insert('tr_one', 'tr_both', []);
  await insert('tr_two', 'tr_both', []);
  await insert('tr_both', null, ['5', '5']);
  await insert('tr_gone', 'tr_new', []);
  await insert('tr_new', null, []);
  await migrate(database.url);
  const rows = await dataSource.query<{ id: string; of: string[] }[]>(
    `SELECT w.id, array_agg(l.id) AS of FROM transfer w JOIN transfer l ON l.handed_on && w.in_place_of GROUP BY w.id`,
  );
  expect(rows).toEqual([{ id: 'tr_heir', of: ['tr_first'] }]);
});

it('0060: refunds of the former version stay as they are, also where one payment is in the books of two merchants', async () => {
  await before('0060');
  await dataSource.transaction(async (tx) => {
    // Of what a refund is about nothing is looked at here.
    await tx.query('SET LOCAL session_replication_role = replica');
    for (const merchant of ['one', 'two']) {
      await tx.query(
        `INSERT INTO review_decision (id, intent_id, kind, actor, note, transfers, refund_amount, refund_network, refund_asset,
                                      refund_decimals, refund_atoms)
         VALUES ('rev_' || $1, 'pi_' || $1, 'refund', 'ann', 'late', '{tr_1}', '1', 'ethereum', 'USDC', 6, 1000000)`,
        [merchant],
      );
      await tx.query(
        `INSERT INTO refund (id, intent_id, merchant_id, network, asset, decimals, atoms, amount, address, depth, transfers,
                             actor, note, state, txid, output, block_height, block_hash, asked_height, searched_height,
                             decision_id)
         VALUES ('rf_' || $1, 'pi_' || $1, 'mer_' || $1, 'ethereum', 'USDC', 6, 1000000, '1', '0xhome', '1', '{}', 'ann',
                 'late', 'final', '0xpaid', 'log:0', 7, '0xblock', 1, 1, 'rev_' || $1)`,
        [merchant],
      );
    }
  });
  await migrate(database.url);
  const rows = await dataSource.query<unknown[]>(
    `SELECT id, state, txid, search_until > now() + interval '29 days' AS "isLookedFor", search_ended_at AS ended,
            opened_by AS opened, again_txid AS again FROM refund ORDER BY id`,
  );
  const same = { state: 'final', txid: '0xpaid', isLookedFor: true, ended: null, opened: null, again: null };
  expect(rows).toEqual([
    { id: 'rf_one', ...same },
    { id: 'rf_two', ...same },
  ]);
});

it('0072: nothing is called final above what was read', async () => {
  await before('0072');
  await dataSource.query(
    `INSERT INTO chain_cursor (network, height, hash, block_time, safe_height, finalized_height, node_height, synced_at)
     VALUES ('base', 20, '0x20', now(), 900, 800, 1000, now()), ('polygon', 20, '0x21', now(), 15, 10, 20, now()),
            ('sonic', 100, '0x22', now(), 36, 90, 100, now())`,
  );
  await migrate(database.url);
  const heights = () =>
    dataSource.query(
      'SELECT safe_height::int AS safe, finalized_height::int AS final FROM chain_cursor ORDER BY network',
    );
  expect(await heights()).toEqual([
    { safe: 20, final: 20 },
    { safe: 15, final: 10 },
    // 0.1.0 counted 64 blocks down where a node knows what is final, and not what is safe.
    { safe: 90, final: 90 },
  ]);
  await expect(dataSource.query('UPDATE chain_cursor SET safe_height = height + 1')).rejects.toThrow(
    'chain_cursor_final_is_read',
  );
});

it('0077: addresses know how deep their merchant had chosen', async () => {
  await before('0077');
  await dataSource.transaction(async (tx) => {
    // Of what an address and a quote are of nothing is looked at here.
    await tx.query('SET LOCAL session_replication_role = replica');
    await tx.query(
      `INSERT INTO address (family, address, extended_key_id, derivation_index, subject)
       VALUES ('evm', '0xquoted', 'xk_1', 0, 'pi_1'), ('evm', '0xalone', 'xk_1', 1, 'pi_1')`,
    );
    await tx.query(
      `INSERT INTO quote (id, intent_id, network, asset, decimals, amount_atoms, family, address, watched_address, price,
                          rate_sources, rate_at, spread_bps, tolerance_bps, confirmation_depth, settlement_depth)
       VALUES ('quo_1', 'pi_1', 'ethereum', 'ETH', 18, 1, 'evm', '0xQuoted', '0xquoted', 1, '{}', now(), 0, 0, '3', '6')`,
    );
  });
  await migrate(database.url);
  expect(
    await dataSource.query(
      `SELECT address, confirmation_depth AS depth FROM address WHERE subject = 'pi_1' ORDER BY address`,
    ),
  ).toEqual([
    { address: '0xalone', depth: null },
    { address: '0xquoted', depth: '3' },
  ]);
});

it('0078: depths that 0.1.0 took and nobody counts become the deepest that is counted', async () => {
  await before('0078');
  await dataSource.transaction(async (tx) => {
    await tx.query('SET LOCAL session_replication_role = replica');
    await tx.query(
      `INSERT INTO address (family, address, extended_key_id, derivation_index, subject, confirmation_depth)
       VALUES ('evm', '0xdeep', 'xk_1', 7, 'pi_deep', '150')`,
    );
    await tx.query(
      `INSERT INTO quote (id, intent_id, network, asset, decimals, amount_atoms, family, address, watched_address, price,
                          rate_sources, rate_at, spread_bps, tolerance_bps, confirmation_depth, settlement_depth, settlement_depths)
       VALUES ('quo_deep', 'pi_deep', 'ethereum', 'ETH', 18, 1, 'evm', '0xDeep', '0xdeep', 1, '{}', now(), 0, 0, '150', '200',
               '{12,150,safe,999999}')`,
    );
    await tx.query(
      `INSERT INTO unsettled_money (intent_id, transfer_id, merchant_id, reason, network, asset, decimals, amount_atoms, txid,
                                    sequence, event_id, depth)
       VALUES ('pi_deep', 'tr_deep', 'mer_1', 'late', 'ethereum', 'ETH', 18, 1, '0x1', 1, 'evt_1', '150')`,
    );
  });
  await migrate(database.url);
  const [row] = await dataSource.query<unknown[]>(
    `SELECT q.confirmation_depth AS confirmed, settlement_depth AS settled, settlement_depths AS tiers, a.confirmation_depth AS decides
       FROM quote q JOIN address a ON a.address = q.watched_address WHERE q.id = 'quo_deep'`,
  );
  expect(row).toEqual({
    confirmed: '100',
    settled: '100',
    tiers: ['12', '100', 'safe', '100'],
    decides: '100',
  });
  expect(await dataSource.query(`SELECT depth FROM unsettled_money WHERE intent_id = 'pi_deep'`)).toEqual([
    { depth: '100' },
  ]);
  await expect(dataSource.query(`UPDATE unsettled_money SET depth = '1'`)).rejects.toThrow('append-only');
});

it('0081: what was named and issued before stays both, and what was named is issued no more', async () => {
  await before('0081');
  await dataSource.query(`INSERT INTO merchant (id, name, status) VALUES ('mer_old', 'Old', 'approved')
                          ON CONFLICT DO NOTHING`);
  const at = (digit: string) => `0x${digit.repeat(40)}`;
  await dataSource.query(
    `INSERT INTO extended_key (id, merchant_id, family, xpub, key_material) VALUES ('xk_both', 'mer_old', 'evm', 'x', 'both')`,
  );
  const insertAddress = (address: string, index: number) =>
    dataSource.query(
      `INSERT INTO address (family, address, extended_key_id, derivation_index, subject, confirmation_depth)
       VALUES ('evm', $1, 'xk_both', $2, 'pi_both', '1')`,
      [address, index],
    );
  await insertAddress(at('1'), 0);
  await insertAddress(at('2'), 1);
  await dataSource.query(
    `INSERT INTO destination (id, merchant_id, address, factory)
     SELECT 'dst_' || a, 'mer_old', a, a FROM unnest($1::text[]) a`,
    [[at('1'), at('3')]],
  );
  await dataSource.query(
    `INSERT INTO own_address (merchant_id, family, address) SELECT 'mer_old', 'evm', a FROM unnest($1::text[]) a`,
    [[at('2'), at('3'), at('4')]],
  );
  await migrate(database.url);
  const [counted] = await dataSource.query<[object]>(
    `SELECT (SELECT count(*)::int FROM address WHERE subject = 'pi_both') AS issued,
            (SELECT count(*)::int FROM named_address) AS named`,
  );
  expect(counted).toEqual({ issued: 2, named: 4 });
  for (const digit of ['3', '4'])
    await expect(insertAddress(at(digit), 7)).rejects.toMatchObject({ constraint: 'address_is_not_named' });
});

it('0103: a secret that awaits its first code is nobody’s any more, and one that is on stays', async () => {
  await before('0103');
  await dataSource.query(
    `INSERT INTO person (id, email, totp_secret, totp_enabled_at, totp_last_step)
     VALUES ('usr_begun', 'begun@example.com', 'sealed', NULL, 0), ('usr_on', 'on@example.com', 'sealed', now(), 7)`,
  );
  await migrate(database.url);
  const rows = await dataSource.query(
    `SELECT id, totp_secret AS secret, totp_last_step::int AS step FROM person WHERE id IN ('usr_begun', 'usr_on') ORDER BY id`,
  );
  expect(rows).toEqual([
    { id: 'usr_begun', secret: null, step: 0 },
    { id: 'usr_on', secret: 'sealed', step: 7 },
  ]);
});

it('0104: a browser that is known stays so for codes too, and after undoing it one that is not is a stranger’s', async () => {
  await before('0104');
  await dataSource.query(
    `INSERT INTO person (id, email) VALUES ('usr_known', 'known@example.com');
     INSERT INTO known_device (person_id, token_hash) VALUES ('usr_known', 'known')`,
  );
  await migrate(database.url);
  const rows = () =>
    dataSource.query(
      `SELECT convert_from(token_hash, 'UTF8') AS token, d.awaits_second_step AS awaits FROM known_device d`,
    );
  expect(await rows()).toEqual([{ token: 'known', awaits: false }]);
  await dataSource.query(
    `INSERT INTO known_device (person_id, token_hash, awaits_second_step) VALUES ('usr_known', 'by a link', true)`,
  );
  await before('0104');
  await migrate(database.url);
  expect(await rows()).toEqual([{ token: 'known', awaits: false }]);
});

it('0105: what was offered with a role and named the role alone offers that alone, and no other offers two', async () => {
  await before('0105');
  await dataSource.query(
    `INSERT INTO merchant (id, name, status) VALUES ('mer_old', 'Old', 'approved') ON CONFLICT DO NOTHING;
     INSERT INTO one_time_link (id, hash, kind, email, merchant_id, role, is_operator, created_by, expires_at)
     SELECT id, id::bytea, 'invitation', 'asked@example.com', merchant_id, role, is_operator, 'cli', now() + interval '1 day'
     FROM (VALUES ('lnk_both', 'mer_old', 'owner', true), ('lnk_role', 'mer_old', 'reviewer', false),
                  ('lnk_operate', NULL, NULL, true)) AS l (id, merchant_id, role, is_operator)`,
  );
  await migrate(database.url);
  const rows = await dataSource.query(
    `SELECT id, role, is_operator AS operates FROM one_time_link WHERE expires_at > now() ORDER BY id`,
  );
  expect(rows).toEqual([
    { id: 'lnk_both', role: 'owner', operates: false },
    { id: 'lnk_operate', role: null, operates: true },
    { id: 'lnk_role', role: 'reviewer', operates: false },
  ]);
  await expect(
    dataSource.query(`UPDATE one_time_link SET is_operator = true WHERE id = 'lnk_role'`),
  ).rejects.toMatchObject({ constraint: 'one_time_link_offers_one' });
});
