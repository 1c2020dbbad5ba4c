import type { DataSource } from 'typeorm';
import { poolOf } from '../../../src/database/statement.js';

/** Written some time after what they are about: requests in bulk, an event's place by a job. */
const WRITTEN_LATER = ['api_request', 'event_log', 'event_log_pending'];

/** What an earlier change has asked to be sent is tried again, and the operator is told what is out of order. */
export const MOVED_BY_JOBS = [
  'delivery',
  'delivery_attempt',
  'alert',
  'alert_mail',
  'alert_notice',
  'alerts',
];

/** Of the chains, of the instance, or of an address, whoever has it: no foreign key leads from them to anybody. */
const NOBODYS = [
  'chain_block',
  'chain_cursor',
  'chain_difference',
  'coin_baseline',
  'cursor_asset',
  'fact_change',
  'fact_rest',
  'guess_delay',
  'job_run',
  'known_asset',
  'migrations',
  'named_address',
  'password_request',
  'rate_window',
  'reconciliation',
  'status_edge',
  'watch_failure',
  'watch_lease',
];

/** Columns that looking changes (a page, a job, a search of blocks), and the tries of a delivery that its endpoint refuses. */
const MOVING = [
  'last_used_at',
  'last_seen_at',
  'last_raised_at',
  'looked_at',
  'searched_height',
  'searched_hash',
  'consecutive_failures',
  'failures_since',
  'refused_since',
  'gone_since',
];

/** What sending changes. What is in a mail can be read by its receiver alone; its subject and its number of news tell of another. */
const MOVING_IN: Readonly<Record<string, readonly string[]>> = {
  outgoing_mail: ['sealed_text', 'attempts', 'next_attempt_at', 'lease_token', 'sent_at'],
};

/** By their addresses, which no foreign key says. */
const MAILS = ['outgoing_mail', 'recipient IN (SELECT email FROM of_person)'] as const;

/** Where the foreign keys are followed from: a table, and which of its rows ($1: whose; $2: a person who is left out). */
type Roots = readonly (readonly [table: string, where: string])[];

const OF_MERCHANT: Roots = [
  ['merchant', 'id = $1'],
  ['membership', 'merchant_id = $1'],
  // The one key that is followed from what refers to what is referred to: a merchant's people are in no other way its own.
  ['person', 'id IN (SELECT person_id FROM of_membership) AND id <> $2'],
  MAILS,
];
const OF_PERSON: Roots = [['person', 'id = $1'], MAILS];

/** "transfer (family, address) refers to address (family, address)". */
interface ForeignKey {
  readonly from: string;
  readonly columns: string;
  readonly to: string;
  readonly referred: string;
}

interface Statements {
  readonly ofMerchant: string;
  readonly ofPerson: string;
}

interface Column {
  readonly table: string;
  readonly name: string;
  readonly isWhole: boolean;
}

const COLUMNS = `
  SELECT attrelid::regclass::text AS "table", quote_ident(attname) AS name, atttypid = 'bigint'::regtype AS "isWhole"
  FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
  ORDER BY attrelid, attnum`;

/** For each database: finding out which tables there are takes longer than reading them. */
const known = new WeakMap<DataSource, Promise<Statements>>();

/**
 * All that is stored of one merchant and of its people, in every table from which foreign keys lead to one of them: a
 * table that somebody adds is in it without their doing. Left out is what changes meanwhile (`MOVING`).
 * @param except a person of whom nothing is read but where they belong
 * @returns the rows of each table as text; "none" where there are none
 */
export async function tenantRows(
  dataSource: DataSource,
  merchantId: string,
  except = '',
): Promise<Record<string, string>> {
  const text = (await statementsOf(dataSource)).ofMerchant;
  return rowsBy(dataSource, { name: 'rows-of-merchant', text }, [merchantId, except]);
}

/** The same of one person, wherever they belong. */
export async function personRows(dataSource: DataSource, personId: string): Promise<Record<string, string>> {
  const text = (await statementsOf(dataSource)).ofPerson;
  return rowsBy(dataSource, { name: 'rows-of-person', text }, [personId]);
}

/** Prepared: planning takes longer than running. */
async function rowsBy(
  dataSource: DataSource,
  statement: { readonly name: string; readonly text: string },
  values: readonly string[],
): Promise<Record<string, string>> {
  const { rows } = await poolOf(dataSource).query<{ name: string; rows: string | null }>({
    ...statement,
    values: [...values],
  });
  return Object.fromEntries(rows.map(({ name, rows: of }) => [name, of ?? 'none']));
}

function statementsOf(dataSource: DataSource): Promise<Statements> {
  const statements = known.get(dataSource) ?? statementsFor(dataSource);
  known.set(dataSource, statements);
  return statements;
}

async function statementsFor(dataSource: DataSource): Promise<Statements> {
  const tables = await dataSource.query<{ name: string }[]>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const keys = await dataSource.query<ForeignKey[]>(
    `SELECT conrelid::regclass::text AS "from", confrelid::regclass::text AS "to",
            (SELECT string_agg(quote_ident(attname), ', ' ORDER BY place)
             FROM unnest(conkey) WITH ORDINALITY AS k (number, place)
             JOIN pg_attribute ON attrelid = conrelid AND attnum = number) AS columns,
            (SELECT string_agg(quote_ident(attname), ', ' ORDER BY place)
             FROM unnest(confkey) WITH ORDINALITY AS k (number, place)
             JOIN pg_attribute ON attrelid = confrelid AND attnum = number) AS referred
     FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
  );
  const ofMerchant = followed(OF_MERCHANT, keys);
  const expected = [
    ...ofMerchant.keys(),
    ...NOBODYS,
    ...WRITTEN_LATER.filter((name) => !ofMerchant.has(name)),
  ];
  const names = tables.map(({ name }) => name);
  if (expected.sort().join() !== names.sort().join())
    throw new Error(
      `a table is a merchant's by its foreign keys, or nobody's (tenant-rows.ts): ${expected.join(', ')} is not ${names.join(', ')}`,
    );
  const columns = await dataSource.query<Column[]>(COLUMNS);
  return {
    ofMerchant: statementOf(ofMerchant, columns),
    ofPerson: statementOf(followed(OF_PERSON, keys), columns),
  };
}

/** @returns for each table which of its rows: those that refer to rows of a table that is nearer to the roots */
function followed(roots: Roots, keys: readonly ForeignKey[]): ReadonlyMap<string, string> {
  const found = new Map(roots);
  for (;;) {
    const next = keys.filter(({ from, to }) => !found.has(from) && found.has(to));
    if (next.length === 0) return found;
    for (const table of new Set(next.map(({ from }) => from))) {
      const own = next.filter(({ from }) => from === table);
      const refers = own.map(
        ({ columns, to, referred }) => `(${columns}) IN (SELECT ${referred} FROM of_${to})`,
      );
      found.set(table, refers.join(' OR '));
    }
  }
}

/** The columns are named, and the rows are never `jsonb`: taking some out of that takes most of the time. */
function statementOf(tables: ReadonlyMap<string, string>, columns: readonly Column[]): string {
  const rows = [...tables].map(
    ([name, where]) => `of_${name} AS MATERIALIZED (SELECT * FROM ${name} WHERE ${where})`,
  );
  const answers = [...tables.keys()]
    .filter((name) => !WRITTEN_LATER.includes(name))
    .map((name) => {
      const compared = comparedOf(
        name,
        columns.filter(({ table }) => table === name),
      );
      return `SELECT '${name}' AS name, (SELECT '[' || string_agg(r, ', ' ORDER BY r COLLATE "C") || ']'
        FROM (SELECT row_to_json(t)::text AS r FROM (${compared}) t) AS of) AS rows`;
    });
  return `WITH ${rows.join(', ')} ${answers.join(' UNION ALL ')}`;
}

/** Of figures that are kept in shards it is their sums that say something, whichever of them chance has taken. */
function comparedOf(table: string, columns: readonly Column[]): string {
  const left = [...MOVING, ...(MOVING_IN[table] ?? []), 'shard'];
  const compared = columns.filter(({ name }) => !left.includes(name));
  const isSharded = columns.some(({ name }) => name === 'shard');
  if (!isSharded) return `SELECT ${compared.map(({ name }) => name).join(', ')} FROM of_${table}`;
  const keys = compared.filter(({ isWhole }) => !isWhole).map(({ name }) => name);
  const sums = compared.filter(({ isWhole }) => isWhole).map(({ name }) => `sum(${name}) AS ${name}`);
  return `SELECT ${[...keys, ...sums].join(', ')} FROM of_${table} GROUP BY ${keys.join(', ')}`;
}
