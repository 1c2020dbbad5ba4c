import type { DataSource, EntityManager } from 'typeorm';
import { run, type Statement, statement } from '../../../database/statement.js';

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
 * A process that stops in the middle of a write keeps its row locks, and with them its successor, waiting until
 * PostgreSQL ends the session: well before the lease of its successor could end as well.
 */
const LONGEST_PAUSE = '3s';

/**
 * Whether the lease has run out does not matter here: whoever takes it raises the term, so that the same term means
 * that nobody else has written since. The lock makes a change of the term wait until this transaction has ended.
 */
const FENCE = statement(
  'chains-fence',
  `SELECT set_config('idle_in_transaction_session_timeout', '${LONGEST_PAUSE}', true)
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

export function write<Row extends Record<string, unknown>>(
  tx: FencedTx,
  text: WriteStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  return run<Row>(tx, text as unknown as Statement, values);
}
