import type { NetworkConfig } from '../../../src/config/config.types.js';
import { RpcRefusal } from '../../../src/modules/chains/bitcoin/core-rpc.js';
import { TestNode } from '../../support/nodes/litecoind.js';
import { eventually } from '../../support/servers/receiver.js';
import { testNetwork } from '../bitcoin-fixture.js';
import { BITCOIN_CALLS, BITCOIN_FAULTS, BITCOIN_LIES } from './bitcoin-matrix.js';
import { type HostileWorld, pickOf, type Random } from './hostile-life.js';
import { HostileNode } from './hostile-node.js';
import type { Rule } from './hostile-plan.js';

/** A node looks through its outputs for one asker at a time, and the service compares too. */
const SCANS_ALREADY = -8;
const CALLS = Object.values(BITCOIN_CALLS).flat();
const FAULTS = Object.values(BITCOIN_FAULTS);
const LIES = Object.entries(BITCOIN_LIES).flatMap(([method, lies]) =>
  Object.values(lies).map((fault) => ({ methods: [method], fault })),
);

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
    const scan = () =>
      this.real.rpc
        .call<{ unspents: { amount: number }[] }>('scantxoutset', 'start', [`addr(${address})`])
        .catch((error: unknown) => {
          if (error instanceof RpcRefusal && error.code === SCANS_ALREADY) return null;
          throw error;
        });
    const found = await eventually(scan, (seen) => seen !== null);
    return found!.unspents.reduce((sum, { amount }) => sum + BigInt(Math.round(amount * 1e8)), 0n);
  }

  plan(random: Random): Rule[] {
    const rule = (): Rule => {
      const fromMs = Math.floor(random() * 1_500);
      const moment = {
        fromMs,
        untilMs: fromMs + 500 + Math.floor(random() * 2_500),
        ...(random() < 0.5 ? { chance: 0.3 + random() * 0.7 } : {}),
      };
      if (random() < 0.5) {
        return { ...pickOf(random, LIES), ...moment };
      }
      return { ...pickOf(random, CALLS), fault: pickOf(random, FAULTS), ...moment };
    };
    return Array.from({ length: 1 + Math.floor(random() * 3) }, rule);
  }
}
