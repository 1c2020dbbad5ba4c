import type { NetworkConfig } from '../../src/config/config.types.js';
import { sandboxBitcoin, sandboxLitecoin } from '../../src/config/networks.js';
import { bitcoinWatcher } from '../../src/modules/chains/bitcoin/bitcoin-chain.js';
import type { BitcoinNode } from '../../src/modules/chains/bitcoin/bitcoin-node.types.js';
import { CoreNode } from '../../src/modules/chains/bitcoin/core-node.js';
import { CoreRpc } from '../../src/modules/chains/bitcoin/core-rpc.js';
import { SpendsRepository } from '../../src/modules/chains/bitcoin/data/spends.repository.js';
import type { Transfer } from '../../src/modules/chains/chains.types.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { by } from '../support/intents/by.js';
import { expectChainClean } from '../support/nodes/chain-check.js';
import { TEST_COIN, TestNode } from '../support/nodes/litecoind.js';
import { vpubOf } from '../support/nodes/wallet.js';
import { type Chains, createMerchant, MERCHANT, startChains } from './chains-fixture.js';
import { endHarmless, harmlessNode, persistent, SHORT_TIMEOUT_MS } from './hostile/harmless.js';
import type { HostileNode } from './hostile/hostile-node.js';
import { stepped, type SteppedWatcher } from './term.js';

/** No request is made twice, and a walk back over twelve blocks makes sixty. */
const FAILING = 0.005;

export function testNetwork(rpcUrl: string, changes: Partial<NetworkConfig> = {}): NetworkConfig {
  const preset = TEST_COIN === 'litecoin' ? sandboxLitecoin(rpcUrl) : sandboxBitcoin(rpcUrl);
  return { ...preset, ...changes };
}

/** One node, one network, one merchant with a wallet, and a watcher that steps when it is told to. */
export class BitcoinTest {
  private watching: SteppedWatcher;
  private uncompared: string | null = null;
  private untold: readonly string[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly node: TestNode,
    readonly chains: Chains,
    readonly network: NetworkConfig,
    private readonly harmless: HostileNode | null,
  ) {
    this.watching = this.watcher();
  }

  static async start(changes: Partial<NetworkConfig> = {}, own = false): Promise<BitcoinTest> {
    const [database, node] = await Promise.all([createTestDatabase(), TestNode.start({ own })]);
    const network = testNetwork(node.rpcUrl, changes);
    const chains = await startChains(database.url, [network]);
    const test = new BitcoinTest(database, node, chains, network, await harmlessNode(node.rpcUrl, FAILING));
    try {
      await createMerchant(chains.dataSource);
      await chains.extendedKeys.set(
        {
          merchantId: MERCHANT,
          network: network.id,
          xpub: vpubOf(database.url),
        },
        by('test'),
      );
      await test.catchUp();
    } catch (error) {
      await test.stop();
      throw error;
    }
    return test;
  }

  /** As `ChainTest.leaveUncompared`. */
  leaveUncompared(why: string): void {
    this.uncompared = why;
  }

  /** What its node cannot tell of at the end, as `check --chain` names it. */
  leaveUntold(...untold: readonly string[]): void {
    this.untold = untold;
  }

  /** @throws Error when the chain holds something else than what its watcher has recorded */
  async stop(): Promise<void> {
    try {
      if (this.uncompared === null) await this.mustBeLikeItsChain();
    } finally {
      await this.chains.app.close();
      await endHarmless(this.harmless);
      await Promise.all([this.node.stop(), this.database.drop()]);
    }
  }

  private async mustBeLikeItsChain(): Promise<void> {
    const depths = this.network.settlementDepths.map(Number);
    await this.node.mine(Math.max(...depths));
    await this.catchUp(this.watcher());
    await expectChainClean(this.chains.app, this.network.id, this.untold);
  }

  /** A new one knows nothing of the mempool, as after a restart. */
  watcher(changes: Partial<NetworkConfig> = {}): SteppedWatcher {
    const network = { ...this.network, ...changes };
    const watcher = this.watcherOn(new CoreNode(new CoreRpc(network.rpcUrl)), network);
    if (!this.harmless || network.rpcUrl !== this.node.rpcUrl) return watcher;
    const rpc = new CoreRpc(this.harmless.url, { timeoutMs: SHORT_TIMEOUT_MS });
    return persistent(this.watcherOn(new CoreNode(rpc), network), watcher);
  }

  watcherOn(node: BitcoinNode, network = this.network): SteppedWatcher {
    const { app, ledger, dataSource } = this.chains;
    const spends = app.get(SpendsRepository, { strict: false });
    return stepped(bitcoinWatcher(network, node, ledger, spends), dataSource, network.id);
  }

  restart(): void {
    this.watching = this.watcher();
  }

  /** Steps until there is nothing more; returns how the last step ended. */
  async catchUp(watcher = this.watching): Promise<string> {
    for (;;) {
      const end = await watcher.step();
      if (end !== 'more') return end;
    }
  }

  async issue(subject: string): Promise<string> {
    const wanted = {
      merchantId: MERCHANT,
      network: this.network.id,
      asset: 'COIN',
      subject,
      confirmationDepth: this.network.confirmationDepth,
    };
    const issued = await this.chains.dataSource.transaction((tx) => this.chains.addresses.issue(tx, wanted));
    return issued.address;
  }

  async transfers(subject: string): Promise<readonly Transfer[]> {
    return (await this.chains.facts.of(this.chains.dataSource, subject)).transfers;
  }

  async states(subject: string): Promise<string[]> {
    return (await this.transfers(subject)).map(({ state }) => state);
  }

  /** Subjects that were woken since the last time this was asked. */
  async woken(): Promise<string[]> {
    const changes = await this.chains.facts.changes(100);
    await this.chains.dataSource.query('DELETE FROM fact_change');
    return changes.map(({ subject }) => subject).sort();
  }
}
