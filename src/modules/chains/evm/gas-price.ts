import type { NetworkConfig } from '../../../config/config.types.js';
import { evmPrice } from './node/answers/rpc-answers.js';
import { askNode } from './node/node-client.js';
import { clientOf } from './transactions.js';

/** @returns atoms for one gas, as the node proposes them now. @throws where it proposes none */
export async function askGasPrice(network: NetworkConfig, timeoutMs: number): Promise<bigint> {
  return BigInt(await askNode(clientOf(network, timeoutMs), evmPrice, 'eth_gasPrice', []));
}
