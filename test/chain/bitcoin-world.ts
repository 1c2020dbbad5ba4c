import type { NetworkConfig } from '../../src/config/config.types.js';
import { TestNode } from '../support/litecoind.js';
import { testNetwork } from './bitcoin-fixture.js';
import { lie, REFUSALS, TRANSPORT, WRONG_TYPES } from './hostile-faults.js';
import { pickOf, type HostileWorld, type Random } from './hostile-life.js';
import { HostileNode } from './hostile-node.js';
import type { Fault, Rule } from './hostile-plan.js';

type Info = Record<string, unknown>;
const info = (name: string, change: Info) => lie(name, (result) => ({ ...(result as Info), ...change }));
const ZERO = '0'.repeat(64);

/** What a watcher asks a Bitcoin-like node for. */
const METHODS = [
  ...['getblockchaininfo', 'getmempoolinfo', 'getrawmempool', 'getbestblockhash'],
  ...['getblockhash', 'getblock', 'getblockheader', 'getrawtransaction'],
];

const FAULTS: readonly Fault[] = [
  ...Object.values(REFUSALS),
  ...Object.values(TRANSPORT),
  ...Object.values(WRONG_TYPES),
  { kind: 'forget' },
  { kind: 'behind', blocks: 2 },
];

/** Lies that only some answers can tell. */
const LIES: readonly (readonly [method: string, fault: Fault])[] = [
  ['getmempoolinfo', info('a mempool that is not loaded', { loaded: false })],
  ['getblockchaininfo', info('still downloading', { initialblockdownload: true, verificationprogress: 0.5 })],
  ['getblockchaininfo', info('the main chain', { chain: 'main' })],
  ['getblockchaininfo', info('headers far above', { headers: 1_000_000 })],
  ['getblockchaininfo', info('a tip that nobody has', { bestblockhash: ZERO })],
  ['getbestblockhash', lie('another tip than a moment ago', () => ZERO)],
  ['getrawmempool', lie('an empty mempool', () => [])],
  [
    'getrawmempool',
    lie('a mempool with gaps', (txids, _, random) => (txids as string[]).filter(() => random() < 0.5)),
  ],
  ['getblockhash', lie('a hash of no block', () => ZERO)],
  ['getblock', info('a block of another parent', { previousblockhash: ZERO })],
  ['getblockheader', info('a header of another height', { height: 1 })],
];

export class BitcoinWorld implements HostileWorld {
  private constructor(
    readonly network: NetworkConfig,
    readonly node: HostileNode,
    private readonly real: TestNode,
  ) {}

  static async start(): Promise<BitcoinWorld> {
    const real = await TestNode.start({ own: true });
    const node = await HostileNode.start(real.rpcUrl);
    const changes = { id: 'coin', name: 'Coin', pollIntervalMs: 200 };
    return new BitcoinWorld(testNetwork(node.url, changes), node, real);
  }

  async stop(): Promise<void> {
    await this.node.stop();
    await this.real.stop();
  }

  mine(blocks: number): Promise<unknown> {
    return this.real.mine(blocks);
  }

  height(): Promise<number> {
    return this.real.height();
  }

  blocksFor(depth: string): number {
    return depth === 'finalized' ? 6 : Number(depth);
  }

  async pay(_: string, address: string, atoms: bigint): Promise<void> {
    const digits = atoms.toString().padStart(9, '0');
    await this.real.send({ [address]: `${digits.slice(0, -8)}.${digits.slice(-8)}` });
  }

  async paid(_: string, address: string): Promise<bigint> {
    const found = await this.real.rpc.call<{ unspents: { amount: number }[] }>('scantxoutset', 'start', [
      `addr(${address})`,
    ]);
    return found.unspents.reduce((sum, { amount }) => sum + BigInt(Math.round(amount * 1e8)), 0n);
  }

  plan(random: Random): Rule[] {
    const rule = (): Rule => {
      const fromMs = Math.floor(random() * 1_500);
      const moment = {
        ...{ fromMs, untilMs: fromMs + 500 + Math.floor(random() * 2_500) },
        ...(random() < 0.5 ? { chance: 0.3 + random() * 0.7 } : {}),
      };
      if (random() < 0.5) {
        const [method, fault] = pickOf(random, LIES);
        return { methods: [method], fault, ...moment };
      }
      const methods = random() < 0.8 ? { methods: [pickOf(random, METHODS)] } : {};
      return { ...methods, fault: pickOf(random, FAULTS), ...moment };
    };
    return Array.from({ length: 1 + Math.floor(random() * 3) }, rule);
  }
}
