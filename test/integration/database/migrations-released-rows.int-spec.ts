import { randomUUID } from 'node:crypto';
import { DataSource, type EntityManager } from 'typeorm';
import { dataSourceOptions } from '../../../src/database/data-source.js';
import { migrate } from '../../../src/database/migrate.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import fc from '../../support/run/fast-check.js';
import { seedOf } from '../../support/run/seed.js';

/** The first migration that 0.1.0 did not have. */
const FIRST_SINCE = '0017_chain_identity';
const EACH = 100;
const MOST_ATOMS = 2n ** 256n - 1n;
const SEED = seedOf('SEED', 'LONG');

/**
 * What the database has refused rows by since 0.1.0, of columns that 0.1.0 wrote: each one is tried with rows at the limits
 * of what 0.1.0 took. A new one belongs here, with what 0.1.0 could have written of it in `rowsOf010`.
 */
const TRIED: Readonly<Record<string, string>> = {
  'address address_is_one_kind': 'every address is of a key',
  'alert alert_kind_check': 'each of its kinds',
  'chain_cursor chain_cursor_final_is_read': 'safe and final in any order, and above the cursor',
  'coin_baseline unexplained_atoms_is_a_number': 'below nothing, and the most',
  'delivery delivery_delayed': 'each state, tried or not, due or not',
  'event event_subject_type_sequence_key': 'several of a subject',
  'intent intent_shows_its_quote': 'with a quote of its own, and without one',
  'one_time_link one_time_link_kind_check': 'both of its kinds',
  'one_time_link one_time_link_offers_one': 'of a merchant, to operate, and both at once',
  'person person_totp_is_on': 'a secret that is on, one that awaits its first code, and none',
  'quote amount_atoms_is_a_number': 'the least and the most',
  'quote quote_of_intent': 'every quote is of one intent',
  'quote quote_decimals': 'any that an asset could have',
  'quote quote_depths': 'any number of blocks, and both tags',
  'quote quote_spread': 'any that a merchant could have',
  'quote quote_tolerance': 'any that a merchant could have',
  'review_decision review_decision_of_intent': 'every decision is about one intent',
  'review_decision review_decision_refund_is_whole': 'refunds of any text',
  'review_entry review_entry_reason_check': 'each of its reasons',
  'settlement excess_atoms_is_a_number': 'the least and the most',
  'settlement excess_atoms_is_finite': 'the least and the most',
  'settlement fiat_minor_is_a_number': 'the most',
  'settlement fiat_minor_is_finite': 'the most',
  'settlement received_atoms_is_a_number': 'the most',
  'settlement received_atoms_is_finite': 'the most',
  'settlement settlement_takes_its_quote': 'with the quote of its intent',
  'transfer amount_atoms_is_a_number': 'the least and the most',
  'transfer transfer_check3': 'each state; nothing was superseded',
  'transfer transfer_in_no_block': 'each state, of a block or of none',
  'transfer transfer_movement': 'several outputs of a transaction, and one on two networks',
  'transfer transfer_place': 'several outputs of a transaction, and one on two networks',
  'wallet wallet_is_one_kind': 'every wallet is of a key',
};

let database: TestDatabase;
let dataSource: DataSource;
let limitsOf010: readonly Limit[];
let columnsOf010: ReadonlySet<string>;

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await new DataSource(dataSourceOptions(database.url, 2)).initialize();
  const isApplied = async () =>
    (await dataSource.query<unknown[]>('SELECT FROM migrations WHERE name LIKE $1', [`${FIRST_SINCE}%`]))
      .length > 0;
  expect(await isApplied()).toBe(true);
  while (await isApplied()) await dataSource.undoLastMigration();
  limitsOf010 = await limits();
  columnsOf010 = await columns();
});
afterAll(async () => {
  await dataSource?.destroy();
  await database?.drop();
});

/** Something that a table refuses rows by. */
interface Limit {
  readonly of: string;
  readonly name: string;
  readonly says: string;
  readonly columns: readonly string[];
}

/** Checks, keys, unique indexes, and columns that hold something always. */
function limits(): Promise<Limit[]> {
  return dataSource.query<Limit[]>(
    `WITH of_tables AS (
       SELECT r.conrelid AS of, r.conname AS name, pg_get_constraintdef(r.oid) AS says, r.conkey::int[] AS keys
         FROM pg_constraint r WHERE r.contype IN ('c', 'u', 'p', 'f', 'x')
        UNION ALL
       SELECT x.indrelid, i.relname, pg_get_indexdef(i.oid), x.indkey::int[]
         FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
        WHERE x.indisunique AND NOT EXISTS (SELECT FROM pg_constraint r WHERE r.conindid = i.oid)
        UNION ALL
       SELECT a.attrelid, a.attname || ' is there', 'NOT NULL', ARRAY[a.attnum::int]
         FROM pg_attribute a WHERE a.attnum > 0 AND a.attnotnull)
     SELECT c.relname AS of, l.name, l.says,
            ARRAY(SELECT a.attname::text FROM pg_attribute a
                   WHERE a.attrelid = c.oid AND a.attnum = ANY (l.keys) ORDER BY 1) AS columns
       FROM of_tables l JOIN pg_class c ON c.oid = l.of
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' ORDER BY 1, 2`,
  );
}

async function columns(): Promise<ReadonlySet<string>> {
  const rows = await dataSource.query<{ name: string }[]>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = current_schema()`,
  );
  return new Set(rows.map(({ name }) => name));
}

function some<T>(what: fc.Arbitrary<T>, most = EACH): T[] {
  return fc.sample(what, { seed: SEED, numRuns: most });
}

/** One after the other, so that a table of objects becomes rows. */
async function insert(tx: EntityManager, table: string, rows: readonly object[]): Promise<void> {
  for (const row of rows) {
    const [names, values] = [Object.keys(row), Object.values(row)];
    await tx.query(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
      values,
    );
  }
}

const atoms = fc.oneof(fc.constantFrom(1n, MOST_ATOMS), fc.bigInt({ min: 1n, max: MOST_ATOMS })).map(String);
/** networks-file.ts of 0.1.0: a positive safe integer, or a tag. */
const depth = fc.oneof(
  fc.constantFrom('1', '12', '100', '101', 'safe', 'finalized', String(Number.MAX_SAFE_INTEGER)),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map(String),
);
const bps = fc.oneof(fc.constantFrom(0, 1000), fc.integer({ min: 0, max: 1000 }));
const height = fc.integer({ min: 0, max: 1_000_000 });
/** From 128 below the first block, which a node that knows no tag was counted to, to above what was read. */
const counted = fc.integer({ min: -128, max: 1_001_000 });

const TYPED = [
  '12.5',
  '1,5',
  '0',
  '-3',
  '1e3',
  'half of it',
  '9'.repeat(40),
  '0.0000001',
  '1.0000000000',
  'NaN',
];

/** Rows at the limits of what 0.1.0 took, in all tables that have got new limits since. */
async function rowsOf010(tx: EntityManager): Promise<void> {
  // What these are of is there where a migration looks at it.
  await tx.query('SET LOCAL session_replication_role = replica');
  await insert(tx, 'merchant', [{ id: 'mer_1', name: 'Old', status: 'approved', tolerance_bps: 1000 }]);
  const person = (id: string) => ({ id, email: `${id}@example.com` });
  await insert(tx, 'person', [
    person('usr_none'),
    { ...person('usr_begun'), totp_secret: 'sealed' },
    { ...person('usr_on'), totp_secret: 'sealed', totp_enabled_at: new Date() },
  ]);
  await insert(tx, 'extended_key', [
    { id: 'xk_1', merchant_id: 'mer_1', family: 'evm', xpub: 'xpub', key_material: 'm', next_index: EACH },
  ]);
  await insert(tx, 'wallet', [{ merchant_id: 'mer_1', network: 'ethereum', extended_key_id: 'xk_1' }]);
  const block = { block_time: new Date(), synced_at: new Date() };
  const cursors = some(fc.record({ height, safe: counted, final: counted }));
  await insert(
    tx,
    'chain_cursor',
    cursors.map(({ height: at, safe, final }, n) => {
      const heights = { height: at, node_height: at, safe_height: safe, finalized_height: final };
      return { network: `net-${n}`, hash: `0x${n}`, ...heights, ...block };
    }),
  );
  const quotes = some(
    fc.record({
      decimals: fc.integer({ min: 0, max: 36 }),
      amount_atoms: atoms,
      spread_bps: bps,
      tolerance_bps: bps,
      confirmation_depth: depth,
      settlement_depth: depth,
    }),
  );
  for (const [n, quote] of quotes.entries()) {
    const watched = { family: 'evm', address: `0x${n}` };
    await insert(tx, 'address', [
      { ...watched, extended_key_id: 'xk_1', derivation_index: n, subject: `pi_${n}` },
    ]);
    const rest = { price: '1', rate_sources: '{}', rate_at: new Date(), watched_address: `0x${n}` };
    const place = { network: 'ethereum', asset: 'ETH', ...watched };
    await insert(tx, 'quote', [{ id: `quo_${n}`, intent_id: `pi_${n}`, ...place, ...rest, ...quote }]);
    const window = { created_at: new Date(0), expires_at: new Date(900_000) };
    const intent = { merchant_id: 'mer_1', status: 'expired', amount_minor: 1, currency: 'CHF', ...window };
    await insert(tx, 'intent', [{ id: `pi_${n}`, ...intent, quote_id: n % 2 ? `quo_${n}` : null }]);
  }
  const inBlock = { state: 'included', block_height: 7, block_hash: '0x7', block_time: new Date() };
  const states = [
    { state: 'mempool' },
    { ...inBlock, final: false },
    { ...inBlock, final: true },
    { state: 'orphaned', missing_since: new Date() },
    { state: 'replaced' },
  ];
  const transfers = some(fc.record({ amount_atoms: atoms, state: fc.constantFrom(...states) }));
  for (const [n, { amount_atoms, state }] of transfers.entries()) {
    const paid = { family: 'evm', address: `0x${n}`, subject: `pi_${n}`, asset: 'ETH', amount_atoms };
    const place = { txid: `0xa${n >> 2}`, output: n % 4 === 0 ? 'native' : `log:${n % 4}` };
    await insert(tx, 'transfer', [
      { id: `tr_${n}`, network: 'ethereum', ...place, ...paid, ...state },
      { id: `tr_${n}_base`, network: 'base', ...place, ...paid, ...state },
    ]);
  }
  const reasons = [
    'in-time-seen-late',
    'underpaid',
    'late',
    'other-asset',
    'after-cancellation',
    'after-failure',
  ];
  await insert(
    tx,
    'review_entry',
    [...reasons, 'after-settlement'].map((reason, n) => ({
      intent_id: `pi_${n}`,
      merchant_id: 'mer_1',
      reason,
      transfers: [`tr_${n}`],
    })),
  );
  const amounts = [...TYPED, ...some(fc.string({ minLength: 1, unit: 'grapheme-ascii' }), 20)];
  await insert(tx, 'review_decision', [
    ...['accept', 'dismiss'].map((kind) => ({
      id: `rev_${kind}`,
      intent_id: 'pi_0',
      kind,
      actor: 'ann',
      note: 'n',
      transfers: ['tr_0'],
    })),
    ...amounts.map((refund_amount, n) => {
      const decision = { id: `rev_${n}`, intent_id: `pi_${n}`, kind: 'refund', actor: 'ann', note: 'n' };
      return { ...decision, transfers: [`tr_${n}`], refund_amount };
    }),
  ]);
  await insert(
    tx,
    'settlement',
    some(fc.record({ received_atoms: atoms, excess_atoms: atoms })).map((sums, n) => {
      const of = {
        intent_id: `pi_${n}`,
        quote_id: `quo_${n}`,
        network: 'ethereum',
        asset: 'ETH',
        price: '1',
      };
      return { ...of, ...sums, rate_sources: '{}', fiat_minor: '9223372036854775807', transfers: '[]' };
    }),
  );
  await insert(
    tx,
    'event',
    Array.from({ length: EACH }, (_, n) => {
      const of = { id: `evt_${n}`, merchant_id: 'mer_1', subject: `pi_${n >> 2}`, sequence: (n % 4) + 1 };
      return { ...of, type: n % 5 === 0 ? 'webhook.test' : 'payment.status', body: '{}' };
    }),
  );
  await insert(tx, 'webhook_endpoint', [
    { id: 'we_1', merchant_id: 'mer_1', url: 'https://x/', secret: 's' },
  ]);
  const sending = { state: 'sending', lease_until: new Date(), lease_token: randomUUID() };
  const deliveries = [sending, ...['pending', 'held', 'delivered', 'failed'].map((state) => ({ state }))];
  for (let n = 0; n < EACH; n++) {
    const next = { attempts: n % 3, next_attempt_at: new Date(n % 4 < 2 ? 0 : '2100-01-01') };
    const of = { event_id: `evt_${n}`, endpoint_id: 'we_1' };
    await insert(tx, 'delivery', [{ ...of, ...next, ...deliveries[n % deliveries.length] }]);
  }
  const kinds = [
    'review-entry',
    'reorganised-after-settlement',
    'webhook-endpoint-disabled',
    'nodes-disagree',
  ];
  await insert(
    tx,
    'alert',
    [...kinds, 'network-unavailable', 'rates-unavailable'].map((kind) => ({
      id: `alt_${kind}`,
      kind,
      subject: 's',
      summary: 's',
      detail: 'd',
      data: '{}',
    })),
  );
  await insert(
    tx,
    'one_time_link',
    [
      { kind: 'invitation', merchant_id: 'mer_1', role: 'owner' },
      { kind: 'invitation', is_operator: true },
      { kind: 'invitation', merchant_id: 'mer_1', role: 'owner', is_operator: true },
      { kind: 'reset' },
    ].map((link, n) => ({
      hash: Buffer.alloc(32, n),
      ...link,
      email: 'ann@example.com',
      created_by: 'cli',
      expires_at: new Date(),
    })),
  );
  await insert(
    tx,
    'coin_baseline',
    some(atoms).map((most, n) => ({
      network: 'ethereum',
      address: `0x${n}`,
      height: n,
      unexplained_atoms: n % 2 ? most : `-${most}`,
    })),
  );
}

it('a database of 0.1.0 is migrated, whatever rows 0.1.0 took', async () => {
  await dataSource.transaction(rowsOf010);
  const cursors = await dataSource.query<{ network: string; expected: number[] }[]>(
    `SELECT network, ARRAY[least(greatest(safe_height, finalized_height), height), least(finalized_height, height)]::int[]
              AS expected FROM chain_cursor ORDER BY network`,
  );
  const failure = await migrate(database.url).then(
    () => null,
    (error: unknown) => String(error),
  );
  expect({ failure, seed: SEED }).toEqual({ failure: null, seed: SEED });
  // What is final stays final.
  const heights = await dataSource.query(
    `SELECT network, ARRAY[safe_height, finalized_height]::int[] AS expected FROM chain_cursor ORDER BY network`,
  );
  expect(heights).toEqual(cursors);
  // What waits for another try stands where it is looked for, and nothing else does.
  const places = await dataSource.query<{ delayed: boolean; waits: boolean }[]>(
    `SELECT DISTINCT delayed, state = 'pending' AND attempts > 0 AND next_attempt_at > now() AS waits FROM delivery ORDER BY 1`,
  );
  expect(places).toEqual([false, true].map((each) => ({ delayed: each, waits: each })));
  // What is only asked of new rows refuses the next change of an old one.
  await dataSource.query('ALTER TABLE transfer VALIDATE CONSTRAINT transfer_in_no_block');
});

it('every limit since then on what 0.1.0 wrote is tried with such rows', async () => {
  const known = new Set(limitsOf010.map(({ of, says }) => `${of} ${says}`));
  const since = (await limits()).filter(
    ({ of, says, columns: names }) =>
      !known.has(`${of} ${says}`) && names.some((name) => columnsOf010.has(`${of}.${name}`)),
  );
  expect(since.map(({ of, name }) => `${of} ${name}`).sort()).toEqual(Object.keys(TRIED).sort());
  for (const table of new Set(since.map(({ of }) => of))) {
    const [row] = await dataSource.query<{ are: boolean }[]>(`SELECT EXISTS (SELECT FROM ${table}) AS are`);
    expect({ table, ...row }).toEqual({ table, are: true });
  }
});
