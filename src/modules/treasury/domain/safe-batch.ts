import { keccak256, stringToHex } from 'viem';
import { isObject } from '../../../kernel/error-fields.js';

export interface SafeTransaction {
  readonly to: string;
  readonly value: '0';
  readonly data: string;
}

/** A file for the Transaction Builder of a Safe, which shows it and lets its owners sign. */
export function safeBatch(
  chainId: number,
  about: { readonly name: string; readonly description: string; readonly safe: string; readonly at: Date },
  transactions: readonly SafeTransaction[],
): Record<string, unknown> {
  const meta = {
    name: about.name,
    description: about.description,
    txBuilderVersion: '1.16.5',
    createdFromSafeAddress: about.safe,
    createdFromOwnerAddress: '',
  };
  const batch = {
    version: '1.0',
    chainId: String(chainId),
    createdAt: about.at.getTime(),
    transactions: transactions.map((one) => ({ ...one, contractMethod: null, contractInputsValues: null })),
  };
  // The builder computes it over the file without the checksum and with a name of null, and warns of any other.
  const checksum = keccak256(stringToHex(canonical({ ...batch, meta: { ...meta, name: null } })));
  return { ...batch, meta: { ...meta, checksum } };
}

/** The builder's own order of bytes: the sorted names of an object, then each value with a comma behind it. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${JSON.stringify(names)}${names.map((name) => `${canonical(value[name])},`).join('')}}`;
}
