import type { BitcoinNode } from '../../../src/modules/chains/bitcoin/bitcoin-node.types.js';
import { CheckedBitcoinNode } from '../../../src/modules/chains/bitcoin/checked-bitcoin-node.js';
import { CoreNode } from '../../../src/modules/chains/bitcoin/core-node.js';
import { CoreRpc } from '../../../src/modules/chains/bitcoin/core-rpc.js';
import { TestNode } from '../../support/nodes/litecoind.js';
import { BitcoinTest } from '../bitcoin-fixture.js';
import type { SteppedWatcher } from '../term.js';
import type { Act, MatrixStage, Standing } from './hostile-matrix.js';
import { HostileNode } from './hostile-node.js';

/** For what never answers: as short as a loaded machine allows. */
const SHORT_TIMEOUT_MS = 500;
/** In coins: alone in its transaction, two in one, and one that is replaced by more while it waits for its block. */
const PAID = { alone: '0.5', one: '0.1', other: '0.2', replaced: '0.4' } as const;
const BEFORE_REPLACED = '0.3';
/** To each of the same addresses, on the other chain. */
const PAID_ELSEWHERE = '0.7';
type Payment = keyof typeof PAID;
const PAYMENTS = Object.keys(PAID) as Payment[];
const atoms = (coins: string) => BigInt(Math.round(Number(coins) * 1e8));

/** On a node of its own. Another chain has the same name and first block. */
export class BitcoinStage implements MatrixStage {
  private cases = 0;
  private isIncluded = false;

  private constructor(
    private readonly test: BitcoinTest,
    private readonly other: TestNode,
    readonly node: HostileNode,
    private readonly hostile: Standing,
  ) {}

  static async start(hostile: Standing): Promise<BitcoinStage> {
    const test = await BitcoinTest.start({}, true);
    const other = await TestNode.start({ own: true });
    await other.mine(10);
    const node = await HostileNode.start(test.node.rpcUrl, other.rpcUrl);
    return new BitcoinStage(test, other, node, hostile);
  }

  async stop(): Promise<void> {
    await this.node.stop();
    await this.other.stop();
    await this.test.stop();
  }

  watcher(isSlow: boolean): SteppedWatcher {
    const options = isSlow ? { timeoutMs: SHORT_TIMEOUT_MS } : {};
    const hostile = new CoreNode(new CoreRpc(this.node.url, options));
    const honest = new CoreNode(new CoreRpc(this.test.node.rpcUrl));
    const nodes: Readonly<Record<Standing, BitcoinNode>> = {
      alone: hostile,
      'the first of two': new CheckedBitcoinNode(hostile, honest),
      'the second of two': new CheckedBitcoinNode(honest, hostile),
    };
    return this.test.watcherOn(nodes[this.hostile]);
  }

  life(look: () => Promise<void>): Readonly<Record<Act, () => Promise<void>>> {
    const { node } = this.test;
    this.cases += 1;
    this.isIncluded = false;
    const to: Partial<Record<Payment, string>> = {};
    let replace: () => Promise<unknown>;
    let block: string;
    return {
      issue: async () => {
        for (const payment of PAYMENTS) to[payment] = await this.test.issue(this.subject(payment));
        await node.mine();
        await look();
      },
      pay: async () => {
        await node.send({ [to.alone!]: PAID.alone });
        await node.send({ [to.one!]: PAID.one, [to.other!]: PAID.other });
        const sent = await node.send({ [to.replaced!]: BEFORE_REPLACED });
        for (const address of Object.values(to)) await this.other.send({ [address]: PAID_ELSEWHERE });
        await this.other.mine(3);
        replace = () => node.spend(sent, { [to.replaced!]: PAID.replaced }, '0.01');
        await look();
      },
      include: async () => {
        await replace();
        await look();
        [block] = (await node.mine()) as [string];
        this.isIncluded = true;
        await look();
      },
      deepen: async () => {
        await node.mine(2);
        await look();
      },
      reorganise: async () => {
        await node.rpc.call('invalidateblock', block);
        await node.rpc.call('generateblock', await node.newAddress(), []);
        await node.mine(3);
        await look();
      },
    };
  }

  mine(): Promise<unknown> {
    return this.test.node.mine();
  }

  async isAtTip(): Promise<boolean> {
    const cursor = await this.test.chains.ledger.cursor(this.test.network.id);
    return cursor?.hash === (await this.test.node.rpc.call('getbestblockhash'));
  }

  async tooMuch(): Promise<string | null> {
    for (const payment of PAYMENTS) {
      const transfers = await this.test.transfers(this.subject(payment));
      const seen = transfers.filter(({ superseded }) => !superseded).map(({ amountAtoms }) => amountAtoms);
      const possible = [PAID[payment], ...(payment === 'replaced' ? [BEFORE_REPLACED] : [])].map(atoms);
      if (seen.length > 1 || seen.some((amount) => !possible.includes(amount)))
        return `${payment} is seen as ${seen.join()}`;
    }
    return this.deeperThanItIs();
  }

  async unsaid(): Promise<string | null> {
    const unseen = this.isIncluded ? await this.unseen() : [];
    return unseen.length === 0 ? null : `nothing says that it is unseen: ${unseen.join()}`;
  }

  /** It has nothing but its coin, which blocks tell. */
  isClosed(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async missing(): Promise<string | null> {
    const lost = await this.unseen();
    return lost.length === 0 ? null : `lost or wrong: ${lost.join()}`;
  }

  private async unseen(): Promise<Payment[]> {
    const isSeen = async (payment: Payment) => {
      const transfers = await this.test.transfers(this.subject(payment));
      const included = transfers.filter(({ state }) => state === 'included');
      return included.length === 1 && included[0]!.amountAtoms === atoms(PAID[payment]);
    };
    const seen = await Promise.all(PAYMENTS.map(isSeen));
    return PAYMENTS.filter((_, i) => !seen[i]);
  }

  /** Depth is counted from the cursor: it must never stand above the chain's own tip. */
  private async deeperThanItIs(): Promise<string | null> {
    const cursor = await this.test.chains.ledger.cursor(this.test.network.id);
    const tip = await this.test.node.height();
    return cursor!.height > tip ? `the cursor is at ${cursor!.height}, and the tip at ${tip}` : null;
  }

  private subject(payment: Payment): string {
    return `pi_${this.cases}_${payment}`;
  }
}
