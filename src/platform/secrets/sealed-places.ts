/** Columns of one table that hold sealed values, or nothing. The table's key is `id`. */
export interface SealedColumns {
  readonly table: string;
  readonly columns: readonly string[];
  /** The column that the values name as their place, wherever they stand. */
  readonly boundAs: string;
}

/**
 * Everything that is sealed. `secrets rekey` walks this list and nothing else, so `SecretBox` seals for no other
 * place: what the list forgot would be lost with the old key.
 */
export const SEALED: readonly SealedColumns[] = [
  // Rotation moves the ciphertext from `secret` to `previous_secret` as it is.
  { table: 'webhook_endpoint', columns: ['secret', 'previous_secret'], boundAs: 'secret' },
  { table: 'person', columns: ['totp_secret'], boundAs: 'totp_secret' },
  { table: 'outgoing_mail', columns: ['sealed_text'], boundAs: 'sealed_text' },
];
