import type { NetworkConfig } from '../../../config/config.types.js';
import type { SearchedBitcoinNode } from './bitcoin-node.types.js';
import { CheckedBitcoinNode } from './checked-bitcoin-node.js';
import { CoreNode } from './core-node.js';
import { CoreRpc } from './core-rpc.js';

/** The network's first node alone: for questions about what one node has. */
export function coreNode({ rpcUrl, isOffline = false }: NetworkConfig): CoreNode {
  return new CoreNode(new CoreRpc(rpcUrl), { needsPeers: !isOffline });
}

/** What is believed of a network: its node, or two that say the same (`checked`). */
export function coreNodes(network: NetworkConfig): {
  readonly node: SearchedBitcoinNode;
  readonly checked: CheckedBitcoinNode | null;
} {
  const first = coreNode(network);
  const { secondRpcUrl } = network;
  const checked = secondRpcUrl
    ? new CheckedBitcoinNode(first, coreNode({ ...network, rpcUrl: secondRpcUrl }))
    : null;
  return { node: checked ?? first, checked };
}
