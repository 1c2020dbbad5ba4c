import { type Address, encodeFunctionData, erc20Abi } from 'viem';
import type { AssetConfig } from '../../../config/config.types.js';
import { evmBytes } from './node/answers/rpc-answers.js';
import { askNode, type NodeClient } from './node/node-client.js';
import { isRevert } from './node/refusals.js';

/**
 * Symbols of the assets that a deposit address could not pay out now, as a node tries it: with nothing, because nothing lies
 * there yet. A token may have blocked the destination or stand still, a contract may refuse coin. What a token would do
 * with more than nothing is not known, and what no node tells is not refused.
 */
export async function refusedPayouts(
  client: NodeClient,
  assets: readonly AssetConfig[],
  from: Address,
  to: Address,
): Promise<string[]> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 0n] });
  const isRefused = ({ contract }: AssetConfig) => {
    const call = contract === null ? { from, to, value: '0x0' } : { from, to: contract, data };
    return askNode(client, evmBytes, 'eth_call', [call, 'latest']).then(() => false, isRevert);
  };
  const refused = await Promise.all(assets.map(isRefused));
  return assets.filter((_, i) => refused[i]).map(({ symbol }) => symbol);
}
