import type { DataSource, EntityManager } from 'typeorm';
import { run, type Statement, statement } from '../../../database/statement.js';
import { inPieces, only } from '../../../kernel/lookups.js';

declare const handedOut: unique symbol;
declare const checked: unique symbol;
declare const writing: unique symbol;

/** The right to write what is seen of a network. Only `WatchLeaseRepository` hands one out. */
export interface Term {
  readonly network: string;
  readonly number: string;
  readonly [handedOut]: true;
}

/** A transaction in which the term is known to stand until it ends. Only `fenced` makes one. */
export type FencedTx = EntityManager & { readonly [checked]: true };

/** A statement that changes what watchers write. It runs inside a `FencedTx` and nowhere else. */
export interface WriteStatement {
  readonly [writing]: Statement;
}

/** Another instance watches the network by now: nothing was written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor({ network, number }: Term) {
    super(`another instance watches ${network} since term ${number}: nothing was written`);
  }
}

/**
 * So many rows one statement is given: strangers pay for as many as they like, and a statement has ten seconds. Those of one
 * transaction add up to whatever there is.
 */
export const MOST_GIVEN = 1_000;
/** So many rows one statement changes that finds them by itself. */
export const MOST_CHANGED = 5_000;

/**
 * A process that stops in the middle of a write keeps its row locks, and with them its successor, waiting until
 * PostgreSQL ends the session: well before the lease of its successor could end as well.
 */
export const LONGEST_PAUSE_MS = 3_000;

/**
 * Whether the lease has run out does not matter here: whoever takes it raises the term, so that the same term means
 * that nobody else has written since. The lock makes a change of the term wait until this transaction has ended.
 */
const FENCE = statement(
  'chains-fence',
  `SELECT set_config('idle_in_transaction_session_timeout', '${LONGEST_PAUSE_MS / 1_000}s', true)
     FROM watch_lease WHERE network = $1 AND term = $2 FOR KEY SHARE`,
);

/** Every write of a watcher goes through here. @throws LeaseLost when the term is over; then nothing is written */
export function fenced<T>(
  dataSource: DataSource,
  term: Term,
  work: (tx: FencedTx) => Promise<T>,
): Promise<T> {
  return dataSource.transaction(async (tx) => {
    if ((await run(tx, FENCE, [term.network, term.number])).length === 0) throw new LeaseLost(term);
    return work(tx as FencedTx);
  });
}

/** A statement of a watcher that writes; one that only reads is a plain `statement`. */
export function writeStatement(name: string, text: string): WriteStatement {
  return statement(name, text) as unknown as WriteStatement;
}

/** The same for each piece of what strangers multiply. @returns the rows of all */
export async function writeInPieces<Row extends Record<string, unknown>, Item>(
  tx: FencedTx,
  text: WriteStatement,
  items: readonly Item[],
  valuesOf: (piece: readonly Item[]) => readonly unknown[],
): Promise<Row[]> {
  const rows: Row[][] = [];
  for (const piece of inPieces(items, MOST_GIVEN)) rows.push(await write<Row>(tx, text, valuesOf(piece)));
  return rows.flat();
}

/** A statement that changes at most `MOST_CHANGED` rows and says how many, until nothing is left. @returns how many it were */
export async function writeUntilDone(
  tx: FencedTx,
  text: WriteStatement,
  values: readonly unknown[],
  most = Infinity,
): Promise<number> {
  let changed = 0;
  for (;;) {
    const { rows } = only(await write<{ rows: number }>(tx, text, values));
    changed += rows;
    if (rows < MOST_CHANGED || changed >= most) return changed;
  }
}

export function write<Row extends Record<string, unknown>>(
  tx: FencedTx,
  text: WriteStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  return run<Row>(tx, text as unknown as Statement, values);
}
