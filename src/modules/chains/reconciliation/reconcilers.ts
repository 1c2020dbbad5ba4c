import type { NetworkConfig, ReconciliationConfig } from '../../../config/config.types.js';
import { coreNodes } from '../bitcoin/core-nodes.js';
import { CoreRpc } from '../bitcoin/core-rpc.js';
import type { LedgerRepository } from '../data/ledger.repository.js';
import { CheckedNode } from '../evm/node/checked-node.js';
import { RpcNode } from '../evm/node/rpc-node.js';
import { BitcoinReconciler } from './bitcoin-reconciler.js';
import type { ReconciliationRepository } from './data/reconciliation.repository.js';
import { AgreedBalances } from './evm/agreed-balances.js';
import { EvmHistory } from './evm/history.js';
import { EvmReconciler, type PartLimits } from './evm/reconciler.js';
import type { Refusals } from './evm/refusals.js';
import { Pace } from './pace.js';
import type { Reconciler } from './reconciliation.types.js';
import { UnspentOutputs } from './unspent-outputs.js';

/** A look through the unspent outputs of a large chain takes minutes on a small machine. */
const SCAN_TIMEOUT_MS = 600_000;

export function unspentOutputs(rpcUrl: string): UnspentOutputs {
  return new UnspentOutputs(new CoreRpc(rpcUrl, { timeoutMs: SCAN_TIMEOUT_MS, amounts: 'amount' }));
}

/**
 * With connections of its own to the network's nodes, so that the watcher never waits behind it.
 * @param parts of an EVM network's round
 */
export function reconcilerOf(
  network: NetworkConfig,
  limits: ReconciliationConfig,
  ledger: LedgerRepository,
  repository: ReconciliationRepository,
  refusals: Refusals,
  parts?: PartLimits,
): Reconciler {
  const { family, rpcUrl, secondRpcUrl: second } = network;
  const pace = new Pace(limits.requestsPerSecond);
  if (family === 'evm') {
    const first = new RpcNode(rpcUrl);
    const node = second ? new CheckedNode(first, new RpcNode(second)) : first;
    const history = new EvmHistory(rpcUrl, pace, refusals, network.id);
    const { addressesPerRequest } = limits;
    const balances = new AgreedBalances(history, second ? new EvmHistory(second, pace) : null);
    return new EvmReconciler(
      network,
      history,
      { node, balances },
      pace,
      ledger,
      repository,
      addressesPerRequest,
      refusals,
      parts,
    );
  }
  const { node } = coreNodes(network);
  return new BitcoinReconciler(network, node, unspentOutputs(rpcUrl), pace, ledger, repository);
}
