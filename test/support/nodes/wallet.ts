import { createHash } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import type { DataSource } from 'typeorm';
import type { KeyWallet, Wallet } from '../../../src/modules/chains/wallets.types.js';

/** The extended public key of an account that only this test knows: every merchant needs one of its own. */
export function xpubOf(seed: string): string {
  const master = HDKey.fromMasterSeed(createHash('sha512').update(seed).digest());
  return master.derive("m/44'/60'/0'").publicExtendedKey;
}

/** A wallet by an extended key, which most suites have. */
export function keyWallet(wallet: Wallet | undefined): KeyWallet {
  if (wallet?.kind !== 'extended-key') throw new Error(`no wallet by an extended key: ${wallet?.kind}`);
  return wallet;
}

const VPUB = { public: 0x045f1cf6, private: 0x045f18bc };

/** The same for Bitcoin-like networks: the account m/84'/1'/0' as a wallet on a test network shows it. */
export function vpubOf(seed: string): string {
  const master = HDKey.fromMasterSeed(createHash('sha512').update(seed).digest(), VPUB);
  return master.derive("m/84'/1'/0'").publicExtendedKey;
}

/** Nobody listens there: what a node would say, such specs write into the database themselves. */
export const NO_NODE = 'http://127.0.0.1:9';

/** An EVM network of such a node, with tokens that no chain has. */
export const SILENT_CHAIN = {
  rpcUrl: NO_NODE,
  tokens: { USDC: { address: `0x${'1'.repeat(40)}` }, USDT: { address: `0x${'2'.repeat(40)}` } },
} as const;

/** What a node would have said of the keys that were set without one. */
export async function sayNothingUsed(dataSource: DataSource): Promise<void> {
  await dataSource.query(`UPDATE extended_key SET unsearched = '{}' WHERE unsearched <> '{}'`);
}
