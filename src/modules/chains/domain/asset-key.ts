import type { AssetConfig } from '../../../config/config.types.js';

/** The network's own coin, among the keys by which assets are told apart. */
export const NATIVE = 'native';

/** What an asset is, whatever its symbol: the coin, or a contract in lower case. */
export function assetKey({ contract }: Pick<AssetConfig, 'contract'>): string {
  return contract?.toLowerCase() ?? NATIVE;
}
