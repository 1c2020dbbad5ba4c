import { addressOfKey, addressOfScript } from '../domain/addresses/segwit-address.js';
import type { BitcoinTransaction } from './bitcoin-node.types.js';

/** An output that pays to a P2WPKH address: ours or not, which only the database knows. */
export interface Payment {
  readonly transaction: BitcoinTransaction;
  readonly output: string;
  readonly address: string;
  readonly amountAtoms: bigint;
}

/** One for each output, because an exchange's withdrawal pays many at once. An output of 0 pays nobody. */
export function paymentsIn(prefix: string, transactions: readonly BitcoinTransaction[]): Payment[] {
  return transactions.flatMap((transaction) =>
    transaction.outputs.flatMap(({ index, script, amountAtoms }) => {
      const address = amountAtoms > 0n ? addressOfScript(prefix, script) : null;
      return address === null ? [] : [{ transaction, output: `out:${index}`, address, amountAtoms }];
    }),
  );
}

/** Who signed a transaction, once for all of its outputs: of both there may be thousands. */
export function payersIn(prefix: string): (transaction: BitcoinTransaction) => readonly string[] {
  const known = new WeakMap<BitcoinTransaction, readonly string[]>();
  return (transaction) => {
    const payers =
      known.get(transaction) ?? [...new Set(transaction.inputKeys)].map((key) => addressOfKey(prefix, key));
    known.set(transaction, payers);
    return payers;
  };
}
