import { encodeFunctionData, erc20Abi, numberToHex } from 'viem';
import type { AssetConfig, NetworkConfig } from '../../../config/config.types.js';
import { hexOf } from '../../../kernel/text/hex.js';
import type { TransferCall } from '../outgoing.types.js';

/** The transaction by which a wallet in a browser pays that much; `null` where such wallets do not pay. */
export function transferCall(
  { chainId }: NetworkConfig,
  { contract }: AssetConfig,
  to: string,
  atoms: bigint,
): TransferCall | null {
  if (chainId === null) return null;
  if (contract === null) return { chainId, to, data: '0x', value: numberToHex(atoms) };
  const args = [hexOf(to), atoms] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
  return { chainId, to: contract, data, value: '0x0' };
}
