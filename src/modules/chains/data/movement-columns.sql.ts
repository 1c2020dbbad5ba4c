import { newId } from '../../../kernel/ids.js';
import type { FoundCollection, FoundTransfer } from './ledger.types.js';

/** A movement to one of our addresses that waits for a block. */
export type WaitingTransfer = Omit<FoundTransfer, 'block' | 'sender' | 'nonce'>;

/** A column of the rows that a statement is given, as one array for each column. */
export interface Column<Row> {
  readonly name: string;
  readonly type: string;
  readonly of: (row: Row) => unknown;
}

/** Which movement it is, and at which address. */
const WHICH: readonly Column<Pick<FoundTransfer, 'txid' | 'output' | 'asset' | 'address'>>[] = [
  { name: 'txid', type: 'text', of: ({ txid }) => txid },
  { name: 'output', type: 'text', of: ({ output }) => output },
  { name: 'asset', type: 'text', of: ({ asset }) => asset },
  { name: 'address', type: 'text', of: ({ address }) => address },
];

const AMOUNT: Column<Pick<FoundTransfer, 'amountAtoms'>> = {
  name: 'amount_atoms',
  type: 'numeric',
  of: ({ amountAtoms }) => amountAtoms.toString(),
};

const BLOCK: readonly Column<Pick<FoundTransfer, 'block'>>[] = [
  { name: 'block_height', type: 'bigint', of: ({ block }) => block.height },
  { name: 'block_hash', type: 'text', of: ({ block }) => block.hash },
  { name: 'block_time', type: 'timestamptz', of: ({ block }) => block.time },
];

/** Lists in a column are joined by commas, because PostgreSQL's unnest would flatten an array of arrays. */
export const WAITING: readonly Column<WaitingTransfer>[] = [
  { name: 'id', type: 'text', of: () => newId('tr') },
  ...WHICH,
  { name: 'subject', type: 'text', of: ({ subject }) => subject },
  AMOUNT,
  { name: 'payers', type: 'text', of: ({ payers }) => payers.join(',') },
];

export const INCLUDED: readonly Column<FoundTransfer>[] = [
  ...WAITING,
  ...BLOCK,
  { name: 'sender', type: 'text', of: ({ sender }) => sender },
  { name: 'nonce', type: 'bigint', of: ({ nonce }) => nonce },
];

export const COLLECTED: readonly Column<FoundCollection>[] = [...WHICH, AMOUNT, ...BLOCK];

/** The rows `f` from the parameters that begin with the `first`: those that `arraysOf` gives. */
export function rowsFrom<Row>(first: number, columns: readonly Column<Row>[]): string {
  const arrays = columns.map(({ type }, i) => `$${first + i}::${type}[]`);
  return `unnest(${arrays.join(', ')}) AS f (${columns.map(({ name }) => name).join(', ')})`;
}

export function arraysOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): unknown[][] {
  return columns.map(({ of }) => rows.map(of));
}

/** What the transaction of `t` spends, with the first of its transfers alone: of both there may be thousands. */
export const SPENDS_ONCE = `CASE WHEN row_number() OVER (PARTITION BY t.network, t.txid ORDER BY t.spends IS NULL, t.id) = 1
              THEN t.spends END`;
