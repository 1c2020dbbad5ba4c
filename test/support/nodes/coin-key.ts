import { createHash } from 'node:crypto';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';

const base58check = createBase58check((data) => createHash('sha256').update(data).digest());
const TEST_NETWORK = 0xef;

/** The private key of an address that `vpubOf(seed)` issues, as a node of a test network reads it. */
export function coinKeyOf(seed: string, index: number): string {
  const master = HDKey.fromMasterSeed(createHash('sha512').update(seed).digest());
  const { privateKey } = master.derive(`m/84'/1'/0'/0/${index}`);
  if (!privateKey) throw new Error('the key has no private part');
  return base58check.encode(Uint8Array.of(TEST_NETWORK, ...privateKey, 1));
}
