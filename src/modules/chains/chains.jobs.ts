import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { CONFIG, type Config, type NetworkConfig } from '../../config/config.types.js';
import { orLate } from '../../platform/deadline.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { ScheduledJob } from '../../platform/jobs/scheduled-job.js';
import { bitcoinWatcher } from './bitcoin/bitcoin-chain.js';
import { coreNodes } from './bitcoin/core-nodes.js';
import { SpendsRepository } from './bitcoin/data/spends.repository.js';
import type { CrossCheck } from './chains.types.js';
import { BalancesRepository } from './data/balances/balances.repository.js';
import { LedgerRepository } from './data/ledger.repository.js';
import { WatchLeaseRepository } from './data/watch-lease.repository.js';
import { evmWatcher } from './evm/evm-chain.js';
import { CheckedNode } from './evm/node/checked-node.js';
import { RpcNode } from './evm/node/rpc-node.js';
import type { WatcherStats } from './health.types.js';
import { WatchLoop } from './watching/watch-loop.js';
import type { Watcher } from './watching/watcher.types.js';

const LOOK_AT_LEASES_EVERY_MS = 1_000;
/** A step that hangs on its node must not keep the network from the instance that goes on: it is fenced anyway. */
const LAST_STEP_MS = 500;

/** A watcher for every network of the configuration; they work once the jobs are started. */
@Injectable()
export class ChainsJobs implements OnModuleDestroy {
  private readonly loops: readonly WatchLoop[];

  constructor(
    @Inject(CONFIG) config: Config,
    jobs: Jobs,
    private readonly ledger: LedgerRepository,
    private readonly spends: SpendsRepository,
    private readonly balances: BalancesRepository,
    private readonly lease: WatchLeaseRepository,
  ) {
    const wake = new Map<string, () => void>();
    this.loops = config.networks.map((network) => {
      const loop = this.loopOf(network, lease);
      const job = jobs.define({
        name: `chain:${network.id}`,
        everyMs: network.pollIntervalMs,
        run: (signal) => loop.turn(signal),
      });
      wake.set(network.id, () => job.wake());
      return loop;
    });
    lease.taken.subscribe((network) => wake.get(network)?.());
  }

  @ScheduledJob('watch-lease', LOOK_AT_LEASES_EVERY_MS)
  async lookAtLeases(): Promise<void> {
    if (this.loops.length > 0) await this.lease.look();
  }

  /** The leases are given back as soon as the watchers stand still, so that another instance goes on at once. */
  async onModuleDestroy(): Promise<void> {
    await orLate(Promise.all(this.loops.map((loop) => loop.stop())), LAST_STEP_MS, () => null);
    await this.lease.release();
  }

  stats(): WatcherStats[] {
    return this.loops.map((loop) => loop.stats());
  }

  private loopOf(network: NetworkConfig, lease: WatchLeaseRepository): WatchLoop {
    const { family, rpcUrl, secondRpcUrl: second } = network;
    const { ledger, spends, balances } = this;
    const loop = (watcher: Watcher, check: { readonly verdict: CrossCheck } | null) =>
      new WatchLoop(network, watcher, lease, ledger, check);
    if (family === 'evm') {
      const first = new RpcNode(rpcUrl);
      const checked = second ? new CheckedNode(first, new RpcNode(second)) : null;
      return loop(evmWatcher(network, checked ?? first, ledger, balances), checked);
    }
    const { node, checked } = coreNodes(network);
    return loop(bitcoinWatcher(network, node, ledger, spends), checked);
  }
}
