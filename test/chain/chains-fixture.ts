import { Global, type LoggerService, Module, type Type } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type Address, type Hex, parseAbi, parseEther } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { type AssetConfig, CONFIG, type Config, type NetworkConfig } from '../../src/config/config.types.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { ChainsModule } from '../../src/modules/chains/chains.module.js';
import type { Transfer } from '../../src/modules/chains/chains.types.js';
import { BalancesRepository } from '../../src/modules/chains/data/balances/balances.repository.js';
import { LedgerRepository } from '../../src/modules/chains/data/ledger.repository.js';
import type { FoundTransfer } from '../../src/modules/chains/data/ledger.types.js';
import type { Names } from '../../src/modules/chains/evm/coin/names.js';
import { evmWatcher } from '../../src/modules/chains/evm/evm-chain.js';
import type { EvmNode } from '../../src/modules/chains/evm/node/evm-node.types.js';
import { RpcNode } from '../../src/modules/chains/evm/node/rpc-node.js';
import { FactsService } from '../../src/modules/chains/facts.service.js';
import { NetworkHealthService } from '../../src/modules/chains/network-health.service.js';
import { AddressesService } from '../../src/modules/chains/wallets/addresses.service.js';
import { ExtendedKeysService } from '../../src/modules/chains/wallets/extended-keys.service.js';
import { WalletsService } from '../../src/modules/chains/wallets/wallets.service.js';
import { anvilAccount } from '../../src/modules/sandbox/local/evm/tokens.js';
import { Readiness } from '../../src/platform/health/readiness.js';
import { Jobs } from '../../src/platform/jobs/jobs.js';
import { JobsModule } from '../../src/platform/jobs/jobs.module.js';
import { Metrics } from '../../src/platform/observability/metrics.js';
import { Retention } from '../../src/platform/retention/retention.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { by } from '../support/intents/by.js';
import { startTestAnvil, type TestAnvil, type TestAnvilOptions } from '../support/nodes/anvil.js';
import { expectChainClean } from '../support/nodes/chain-check.js';
import type { Compiled } from './contracts.js';
import { endHarmless, harmlessNode, persistent, SHORT_TIMEOUT_MS } from './hostile/harmless.js';
import type { HostileNode } from './hostile/hostile-node.js';
import { presentTerm, stepped, type SteppedWatcher } from './term.js';

export const ERC20 = parseAbi([
  'function transfer(address to, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
]);
export const MERCHANT = 'mer_test';
export const BUYER = anvilAccount(5).address;

/** Requests are made twice. */
const FAILING = 0.02;
/** Of watchers that know nothing of a node yet. */
const MOST_ANEW = 5;

/** The public key of account 0' of a seed phrase that nothing else uses. */
export function accountXpub(account = 0): string {
  const path = `m/44'/60'/${account}'` as never;
  const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
  return mnemonicToAccount(mnemonic, { path }).getHdKey().publicExtendedKey;
}

export function evmNetwork(
  rpcUrl: string,
  assets: readonly AssetConfig[],
  changes: Partial<NetworkConfig> = {},
) {
  return {
    id: 'ethereum',
    name: 'Ethereum',
    family: 'evm',
    chainId: 31337,
    rpcUrl,
    assets,
    confirmationDepth: 1,
    settlementDepths: [1, 1, 1, 1],
    blockIntervalS: 1,
    safeAfterS: 2,
    finalizedAfterS: 4,
    pollIntervalMs: 50,
    explorerTx: null,
    ...changes,
  } as const satisfies NetworkConfig;
}

/** Failures are provoked here on purpose. */
class NoLogs implements LoggerService {
  log(): void {}
  warn(): void {}
  error(): void {}
}

/** The module as the application has it, on a database of its own. Nothing watches until `jobs.start()`. */
export async function startChains(databaseUrl: string, networks: readonly NetworkConfig[]): Promise<Chains> {
  const reconciliation = { requestsPerSecond: 1_000, addressesPerRequest: 500, roundEveryHours: 24 };
  const config = { databaseUrl, networks, mode: 'sandbox', reconciliation } as unknown as Config;
  const shared = [Metrics, Readiness];
  @Global()
  @Module({
    imports: [JobsModule],
    providers: [
      ...shared,
      { provide: CONFIG, useValue: config },
      // What is kept for how long is the whole application's.
      { provide: Retention, useValue: { keep: () => undefined } },
    ],
    exports: [...shared, CONFIG, JobsModule, Retention],
  })
  class Shared {}
  const options = { ...dataSourceOptions(databaseUrl, 12), autoLoadEntities: true };
  const imports = [Shared, TypeOrmModule.forRoot(options), ChainsModule];
  const app = await Test.createTestingModule({ imports }).setLogger(new NoLogs()).compile();
  await app.init();
  const inside = <T>(part: Type<T>) => app.get(part, { strict: false });
  return {
    app,
    wallets: inside(WalletsService),
    addresses: inside(AddressesService),
    facts: inside(FactsService),
    health: inside(NetworkHealthService),
    extendedKeys: inside(ExtendedKeysService),
    dataSource: app.get(DataSource),
    ledger: inside(LedgerRepository),
    jobs: inside(Jobs),
  };
}

export interface Chains {
  readonly app: TestingModule;
  readonly wallets: WalletsService;
  readonly addresses: AddressesService;
  readonly facts: FactsService;
  readonly health: NetworkHealthService;
  readonly extendedKeys: ExtendedKeysService;
  readonly dataSource: DataSource;
  readonly ledger: LedgerRepository;
  readonly jobs: Jobs;
}

export async function createMerchant(dataSource: DataSource, id = MERCHANT): Promise<void> {
  await dataSource.query(`INSERT INTO merchant (id, name, status) VALUES ($1, $1, 'approved')`, [id]);
}

/** One chain, one network, one merchant with a wallet, and a watcher that steps when it is told to. */
export class ChainTest {
  private uncompared: string | null = null;
  private untold: readonly string[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly anvil: TestAnvil,
    readonly chains: Chains,
    readonly network: NetworkConfig,
    private readonly harmless: HostileNode | null,
  ) {}

  static async start(options: TestAnvilOptions = {}): Promise<ChainTest> {
    const [database, anvil] = await Promise.all([createTestDatabase(), startTestAnvil(options)]);
    const assets = [
      { symbol: 'ETH', decimals: 18, contract: null, dustAtoms: 1n },
      { symbol: 'USDC', decimals: 6, contract: anvil.tokens.USDC.address, dustAtoms: 1n },
      { symbol: 'USDT', decimals: 6, contract: anvil.tokens.USDT.address, dustAtoms: 1n },
    ];
    const network = evmNetwork(anvil.rpcUrl, assets);
    const harmless = await harmlessNode(anvil.rpcUrl, FAILING);
    const chains = await startChains(database.url, [network]);
    await createMerchant(chains.dataSource);
    await chains.extendedKeys.set(
      { merchantId: MERCHANT, network: network.id, xpub: accountXpub() },
      by('test'),
    );
    const test = new ChainTest(database, anvil, chains, network, harmless);
    try {
      await test.mine();
      await test.catchUp();
    } catch (error) {
      await test.stop();
      throw error;
    }
    return test;
  }

  /** What the suite did to the ledger by hand stands in no chain: then the two are not compared at the end. */
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
      await Promise.all([this.anvil.stop(), this.database.drop()]);
    }
  }

  private async mustBeLikeItsChain(): Promise<void> {
    await this.mine(8);
    await this.catchUp();
    await expectChainClean(this.chains.app, this.network.id, this.untold);
  }

  watcher(rpcUrl = this.anvil.rpcUrl, changes: Partial<NetworkConfig> = {}): SteppedWatcher {
    const watcher = this.watcherOn(new RpcNode(rpcUrl), changes);
    if (!this.harmless || rpcUrl !== this.anvil.rpcUrl) return watcher;
    const node = new RpcNode(this.harmless.url, { timeoutMs: SHORT_TIMEOUT_MS });
    return persistent(this.watcherOn(node, changes), watcher);
  }

  watcherOn(node: EvmNode, changes: Partial<NetworkConfig> = {}, names?: Names): SteppedWatcher {
    const balances = this.chains.app.get(BalancesRepository, { strict: false });
    const network = { ...this.network, ...changes };
    const watcher = evmWatcher(network, node, this.chains.ledger, balances, names);
    return stepped(watcher, this.chains.dataSource, network.id);
  }

  /** Steps until there is nothing more; returns how the last step ended. By the honest node coin is looked into as well. */
  async catchUp(watcher?: SteppedWatcher): Promise<string> {
    if (!watcher) return this.catchUpAnew(() => this.watcher());
    for (;;) {
      const end = await watcher.step();
      if (end !== 'more') return end;
    }
  }

  /**
   * The same on a node that is honest now, until coin too is looked into. A machine that stands still makes such a node late, and
   * what was late a watcher leaves alone for a minute: it is asked by one that has not seen it.
   */
  async catchUpAnew(watcher: () => SteppedWatcher): Promise<string> {
    for (let looks = 1; ; looks += 1) {
      const end = await this.catchUp(watcher());
      const cursor = await this.chains.ledger.cursor(this.network.id);
      if (looks === MOST_ANEW || (cursor?.coinBlindFrom ?? null) === null) return end;
    }
  }

  async issue(subject: string): Promise<Address> {
    const wanted = {
      merchantId: MERCHANT,
      network: this.network.id,
      asset: 'ETH',
      subject,
      confirmationDepth: this.network.confirmationDepth,
    };
    const issued = await this.chains.dataSource.transaction((tx) => this.chains.addresses.issue(tx, wanted));
    return issued.address as Address;
  }

  async transfers(subject: string): Promise<readonly Transfer[]> {
    return (await this.chains.facts.of(this.chains.dataSource, subject)).transfers;
  }

  /** Writes movements to the block at the cursor, as a watcher would. */
  async write(
    found: readonly (Pick<FoundTransfer, 'txid' | 'output' | 'address' | 'subject'> &
      Partial<FoundTransfer>)[],
    time = new Date(),
  ): Promise<void> {
    const { ledger, dataSource } = this.chains;
    const from = (await ledger.cursor('ethereum'))!;
    const block = { ...from, time };
    const common = { asset: 'USDC', amountAtoms: 7_000_000n, sender: null, nonce: null, payers: [], block };
    await ledger.advance(await presentTerm(dataSource, 'ethereum'), {
      family: 'evm',
      from,
      to: block,
      blocks: [],
      assetKeys: [],
      tellsDepth: true,
      transfers: found.map((transfer) => ({ ...common, ...transfer })),
      tips: { nodeHeight: from.height, safeHeight: 0, finalizedHeight: 0 },
      lookedAt: new Date(),
      maxTipAgeS: 60,
      blindAfterMs: 30_000,
    });
  }

  mine(blocks = 1): Promise<void> {
    return this.anvil.testClient.mine({ blocks });
  }

  async deploy({ abi, bytecode }: Compiled): Promise<Address> {
    const { testClient } = this.anvil;
    const hash = await testClient.deployContract({ account: BUYER, abi, bytecode, args: [] });
    await this.mine();
    return (await testClient.getTransactionReceipt({ hash })).contractAddress!;
  }

  /** Replaces the last blocks by as many: empty ones, but for the raw transactions given with the block's offset. */
  async reorganise(depth: number, transactions: readonly (readonly [string, number])[] = []): Promise<void> {
    await this.anvil.testClient.request({ method: 'anvil_reorg', params: [depth, transactions] } as never);
  }

  rawTransaction(txid: string): Promise<string> {
    const { testClient } = this.anvil;
    return testClient.request({ method: 'eth_getRawTransactionByHash', params: [txid] } as never);
  }

  /** Sends a coin; it waits in the pool for the next block. */
  send(
    to: Address,
    ether: string,
    from: Address = BUYER,
    more: { gas?: bigint; nonce?: number; maxFeePerGas?: bigint; maxPriorityFeePerGas?: bigint } = {},
  ): Promise<Hex> {
    const { testClient } = this.anvil;
    return testClient.sendTransaction({ account: from, to, value: parseEther(ether), ...more });
  }

  /** Sends a token; it waits in the pool for the next block. */
  sendToken(to: Address, value: bigint, token: Address = this.anvil.tokens.USDC.address): Promise<Hex> {
    const { testClient } = this.anvil;
    const args = [to, value] as const;
    return testClient.writeContract({
      account: BUYER,
      address: token,
      abi: ERC20,
      functionName: 'transfer',
      args,
    });
  }
}
