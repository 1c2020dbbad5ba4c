/**
 * Columns of one table that hold sealed values, or nothing. The table's key is `id`. Each module names its own, and the
 * application hands in all of them: `secrets rekey` walks this list and nothing else, so `SecretBox` seals for no other
 * place. What the list forgot would be lost with the old key.
 */
export interface SealedColumns {
  readonly table: string;
  readonly columns: readonly string[];
  /** The column that the values name as their place, wherever they stand. */
  readonly boundAs: string;
}
