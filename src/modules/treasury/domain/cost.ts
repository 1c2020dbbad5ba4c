import type { AssetConfig, NetworkConfig } from '../../../config/config.types.js';
import type { CollectingConditions } from '../../chains/forwarders/collecting.types.js';
import type { Cost } from '../treasury.types.js';
import { expectedGas } from './batches.js';

export const kindOf = ({ contract }: AssetConfig) => (contract === null ? 'coin' : 'token');

/** What collecting all of these costs by the gas price of now; `null` where the node does not say it. */
export function costOf(
  network: NetworkConfig,
  asset: AssetConfig,
  batched: Parameters<typeof expectedGas>[0],
  conditions: CollectingConditions | null,
): Cost | null {
  const coin = network.assets.find(({ contract }) => contract === null);
  if (!conditions) return null;
  const gas = expectedGas(batched, kindOf(asset));
  return {
    transactions: batched.length,
    gas,
    feeAtoms: gas * conditions.gasPriceAtoms,
    coin: coin?.symbol ?? 'coin',
    coinDecimals: coin?.decimals ?? 18,
    isFactoryDeployed: conditions.isFactoryDeployed,
    hasDeployer: conditions.hasDeployer,
  };
}
