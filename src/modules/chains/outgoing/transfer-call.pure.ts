import { type Hex, isAddress, numberToHex } from 'viem';
import type { AssetConfig, NetworkConfig } from '../../../config/config.types.js';
import type { TransferCall } from '../outgoing.types.js';

/** Of `transfer(address,uint256)` of ERC-20: what a call of it begins with. */
const TRANSFER = '0xa9059cbb';

/** The transaction by which a wallet in a browser pays that much; `null` where such wallets do not pay. */
export function transferCall(
  { chainId }: NetworkConfig,
  { contract }: AssetConfig,
  to: string,
  atoms: bigint,
): TransferCall | null {
  if (chainId === null) return null;
  if (contract === null) return { chainId, to, data: '0x', value: numberToHex(atoms) };
  return { chainId, to: contract, data: transferData(to, atoms), value: '0x0' };
}

/**
 * As `encodeFunctionData` of viem writes it, which hashes the method's name each time.
 * @throws Error for what is no address, or does not fit
 */
function transferData(to: string, atoms: bigint): Hex {
  if (!isAddress(to)) throw new Error(`${to} is no address`);
  return `${TRANSFER}${to.slice(2).toLowerCase().padStart(64, '0')}${numberToHex(atoms, { size: 32 }).slice(2)}`;
}
