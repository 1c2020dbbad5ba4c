import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, type NetworkConfig } from '../../config/config.types.js';
import { Jobs } from '../../platform/jobs.js';
import { BitcoinWatcher } from './bitcoin/bitcoin-watcher.js';
import { CoreNode } from './bitcoin/core-node.js';
import { CoreRpc } from './bitcoin/core-rpc.js';
import type { WatcherStats } from './chains.types.js';
import { BalancesRepository } from './data/balances.repository.js';
import { LedgerRepository } from './data/ledger.repository.js';
import { SpendsRepository } from './data/spends.repository.js';
import { WatchLease } from './data/watch-lease.js';
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
      const loop = new WatchLoop(network, this.watcherOf(network), lease);
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

  private watcherOf(network: NetworkConfig): Watcher {
    if (network.family === 'evm') {
      return new EvmWatcher(network, new RpcNode(network.rpcUrl), this.ledger, this.balances);
    }
    return new BitcoinWatcher(network, new CoreNode(new CoreRpc(network.rpcUrl)), this.ledger, this.spends);
  }
}
