import type { AssetConfig, NetworkConfig } from '../../../config/config.types.js';
import { plainText } from '../../../kernel/crypto-amount.js';
import { underivable } from '../chains.errors.js';

export interface PaymentUris {
  /** Opens a wallet with everything filled in. */
  readonly withAmount: string;
  /** The bare address, for exchanges and wallets that read nothing else. */
  readonly addressOnly: string;
}

/**
 * EIP-681 or BIP21, with the amount in plain digits: exponents are legal in the one (`2.014e18`), but many wallets
 * refuse them, and wrong in the other, where common libraries write them all the same (`1e-8`).
 * `addressOnly` is no URI on purpose: `ethereum:<address>` would make a wallet propose the coin for a token.
 */
export function paymentUris(
  network: NetworkConfig,
  asset: AssetConfig,
  address: string,
  atoms: bigint,
): PaymentUris {
  const withAmount =
    network.family === 'evm'
      ? ethereumUri(network, asset, address, atoms)
      : `${network.family}:${address}?amount=${plainText({ atoms, decimals: asset.decimals })}`;
  return { withAmount, addressOnly: address };
}

function ethereumUri(network: NetworkConfig, asset: AssetConfig, address: string, atoms: bigint): string {
  if (network.chainId === null) throw underivable(network.family);
  return asset.contract === null
    ? `ethereum:${address}@${network.chainId}?value=${atoms}`
    : `ethereum:${asset.contract}@${network.chainId}/transfer?address=${address}&uint256=${atoms}`;
}
