import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, type NetworkConfig } from '../../config/config.types.js';
import { Jobs } from '../../platform/jobs.js';
import { BitcoinWatcher } from './bitcoin/bitcoin-watcher.js';
import { CheckedBitcoinNode } from './bitcoin/checked-bitcoin-node.js';
import { CoreNode } from './bitcoin/core-node.js';
import { CoreRpc } from './bitcoin/core-rpc.js';
import type { CrossCheck, WatcherStats } from './chains.types.js';
import { BalancesRepository } from './data/balances.repository.js';
import { LedgerRepository } from './data/ledger.repository.js';
import { SpendsRepository } from './data/spends.repository.js';
import { WatchLease } from './data/watch-lease.js';
import { CheckedNode } from './evm/checked-node.js';
import { EvmWatcher } from './evm/evm-watcher.js';
import { RpcNode } from './evm/rpc-node.js';
import { WatchLoop } from './watching/watch-loop.js';
import type { Watcher } from './watching/watcher.types.js';

/** A watcher for every network of the configuration; they work once the jobs are started. */
@Injectable()
export class ChainsJobs {
  private readonly loops: readonly WatchLoop[];

  constructor(
    @Inject(CONFIG) config: Config,
    jobs: Jobs,
    private readonly ledger: LedgerRepository,
    private readonly spends: SpendsRepository,
    private readonly balances: BalancesRepository,
    lease: WatchLease,
  ) {
    this.loops = config.networks.map((network) => {
      const loop = this.loopOf(network, lease);
      jobs.define({
        name: `chain:${network.id}`,
        everyMs: network.pollIntervalMs,
        run: (signal) => loop.turn(signal),
      });
      return loop;
    });
  }

  stats(): WatcherStats[] {
    return this.loops.map((loop) => loop.stats());
  }

  private loopOf(network: NetworkConfig, lease: WatchLease): WatchLoop {
    const { family, rpcUrl, secondRpcUrl: second } = network;
    const { ledger, spends, balances } = this;
    const loop = (watcher: Watcher, check: { readonly verdict: CrossCheck } | null) =>
      new WatchLoop(network, watcher, lease, ledger, check);
    if (family === 'evm') {
      const first = new RpcNode(rpcUrl);
      const checked = second ? new CheckedNode(first, new RpcNode(second)) : null;
      return loop(new EvmWatcher(network, checked ?? first, ledger, balances), checked);
    }
    const first = new CoreNode(new CoreRpc(rpcUrl));
    const checked = second ? new CheckedBitcoinNode(first, new CoreNode(new CoreRpc(second))) : null;
    return loop(new BitcoinWatcher(network, checked ?? first, ledger, spends), checked);
  }
}
