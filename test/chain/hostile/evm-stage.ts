import { type Address, type Hex, parseEther } from 'viem';
import type { Transfer } from '../../../src/modules/chains/chains.types.js';
import { CheckedNode } from '../../../src/modules/chains/evm/node/checked-node.js';
import type { EvmNode } from '../../../src/modules/chains/evm/node/evm-node.types.js';
import { RpcNode } from '../../../src/modules/chains/evm/node/rpc-node.js';
import { reorganise, startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { BUYER, ChainTest, ERC20 } from '../chains-fixture.js';
import { compileContracts } from '../contracts.js';
import { NO_TAGS } from '../evm-faults.js';
import type { SteppedWatcher } from '../term.js';
import type { Act, MatrixStage, Standing } from './hostile-matrix.js';
import { HostileNode } from './hostile-node.js';

/** For what never answers: as short as a loaded machine allows. */
const SHORT_TIMEOUT_MS = 500;
const CALLED = parseEther('0.1');
const PAID = { coin: parseEther('0.1'), token: 100n, call: CALLED } as const;
/** To the same addresses, on the other chain. */
const PAID_ELSEWHERE = { coin: parseEther('0.7'), token: 700n } as const;
type Asset = keyof typeof PAID;
type Tagged = Readonly<Record<'safe' | 'finalized', number>>;
const ASSETS = Object.keys(PAID) as Asset[];
const { payout } = compileContracts();
/** By their age nothing becomes final here, if the times of blocks are true. */
const FINAL_AGE_S = 86_400;

/** On anvil: coin, a token, and coin that a contract pays, in one block. Another chain has the same id and contracts. */
export class EvmStage implements MatrixStage {
  private cases = 0;
  private isIncluded = false;

  private constructor(
    private readonly test: ChainTest,
    private readonly other: TestAnvil,
    readonly node: HostileNode,
    private readonly contract: Address,
    private readonly hostile: Standing,
    private readonly tagless: { readonly node: HostileNode; readonly final: Tagged } | null,
  ) {}

  /** @param isTagless whether the node behind the hostile one knows no tags */
  static async start(hostile: Standing, isTagless = false): Promise<EvmStage> {
    const test = await ChainTest.start({ slotsInAnEpoch: 70 });
    const other = await startTestAnvil({ slotsInAnEpoch: 70 });
    const untagged = isTagless ? await HostileNode.start(test.anvil.rpcUrl) : null;
    untagged?.plan([NO_TAGS]);
    const node = await HostileNode.start(untagged?.url ?? test.anvil.rpcUrl, other.rpcUrl);
    const contract = await test.deploy(payout);
    // So that what a node is not told to be final would be final by a depth that somebody guessed.
    await test.mine(150);
    await other.testClient.mine({ blocks: 160 });
    await test.catchUp();
    const tagless = untagged && { node: untagged, final: await taggedIn(test) };
    return new EvmStage(test, other, node, contract, hostile, tagless);
  }

  async stop(): Promise<void> {
    await this.node.stop();
    await this.tagless?.node.stop();
    await this.other.stop();
    await this.test.stop();
  }

  watcher(isSlow: boolean): SteppedWatcher {
    const options = isSlow ? { timeoutMs: SHORT_TIMEOUT_MS } : {};
    const changes = this.tagless ? { finalityFallbackS: FINAL_AGE_S } : {};
    const hostile = new RpcNode(this.node.url, options);
    const honest = new RpcNode(this.test.anvil.rpcUrl);
    const nodes: Readonly<Record<Standing, EvmNode>> = {
      alone: hostile,
      'the first of two': new CheckedNode(hostile, honest),
      'the second of two': new CheckedNode(honest, hostile),
    };
    return this.test.watcherOn(nodes[this.hostile], changes);
  }

  life(look: () => Promise<void>): Readonly<Record<Act, () => Promise<void>>> {
    const { test } = this;
    this.cases += 1;
    this.isIncluded = false;
    const to: Partial<Record<Asset, Address>> = {};
    let txids: Hex[] = [];
    return {
      issue: async () => {
        for (const asset of ASSETS) to[asset] = await test.issue(this.subject(asset));
        await test.mine();
        await look();
      },
      pay: async () => {
        txids = [await test.send(to.coin!, '0.1'), await test.sendToken(to.token!, PAID.token)];
        txids.push(await this.payInside(to.call!));
        await this.payElsewhere(to.coin!, to.token!);
        await look();
      },
      include: async () => {
        await test.mine();
        this.isIncluded = true;
        await look();
      },
      deepen: async () => {
        await test.mine(2);
        await look();
      },
      reorganise: async () => {
        const raw = await Promise.all(txids.map((txid) => test.rawTransaction(txid)));
        const anew = raw.map((tx) => [tx, 1] as const);
        await reorganise(test.anvil.testClient, 3, anew);
        await look();
      },
    };
  }

  mine(): Promise<void> {
    return this.test.mine();
  }

  async isAtTip(): Promise<boolean> {
    const cursor = await this.test.chains.ledger.cursor('ethereum');
    const { hash } = await this.test.anvil.testClient.getBlock();
    return cursor?.hash === hash;
  }

  async tooMuch(): Promise<string | null> {
    for (const asset of ASSETS) {
      const seen = (await this.counted(asset)).map(({ amountAtoms }) => amountAtoms);
      if (seen.length > 1 || seen.some((atoms) => atoms !== PAID[asset]))
        return `${asset} is seen as ${seen.join()}`;
    }
    return this.finalTooEarly();
  }

  async unsaid(): Promise<string | null> {
    if (!this.isIncluded) return null;
    const closed = await this.closed();
    const hidden: Readonly<Record<Asset, boolean>> = {
      coin: false,
      token: 'USDC' in closed,
      call: 'ETH' in closed,
    };
    const unseen = (await this.unseen()).filter((asset) => !hidden[asset]);
    return unseen.length === 0 ? null : `nothing says that it is unseen: ${unseen.join()}`;
  }

  async missing(): Promise<string | null> {
    const lost = await this.unseen();
    return lost.length === 0 ? null : `lost or wrong: ${lost.join()}`;
  }

  async isClosed(): Promise<boolean> {
    return Object.keys(await this.closed()).length > 0;
  }

  private async closed() {
    return (await this.test.chains.health.all())[0]!.closedAssets;
  }

  private async unseen(): Promise<Asset[]> {
    const isSeen = async (asset: Asset) => {
      const [transfer] = await this.counted(asset);
      return transfer?.state === 'included' && transfer.amountAtoms === PAID[asset];
    };
    const seen = await Promise.all(ASSETS.map(isSeen));
    return ASSETS.filter((_, i) => !seen[i]);
  }

  /** What balances told of a block that was reorganised has its successor's row counted instead. */
  private async counted(asset: Asset): Promise<readonly Transfer[]> {
    return (await this.test.transfers(this.subject(asset))).filter(({ superseded }) => !superseded);
  }

  private async finalTooEarly(): Promise<string | null> {
    const row = await taggedIn(this.test);
    for (const blockTag of ['safe', 'finalized'] as const) {
      const truth =
        this.tagless?.final[blockTag] ??
        Number((await this.test.anvil.testClient.getBlock({ blockTag })).number);
      if (row[blockTag] > truth) return `${blockTag} is ${row[blockTag]}, and the node says ${truth}`;
    }
    return null;
  }

  private async payElsewhere(coin: Address, token: Address): Promise<void> {
    const { testClient, tokens } = this.other;
    await testClient.sendTransaction({ account: BUYER, to: coin, value: PAID_ELSEWHERE.coin });
    await testClient.writeContract({
      account: BUYER,
      address: tokens.USDC.address,
      abi: ERC20,
      functionName: 'transfer',
      args: [token, PAID_ELSEWHERE.token],
    });
    await testClient.mine({ blocks: 3 });
  }

  private payInside(to: Address): Promise<Hex> {
    return this.test.anvil.testClient.writeContract({
      account: BUYER,
      address: this.contract,
      abi: payout.abi,
      functionName: 'pay',
      args: [[to], [CALLED]],
      value: CALLED,
      // The pool's estimate would be made on a state without what waits in it.
      gas: 1_000_000n,
    });
  }

  private subject(asset: Asset): string {
    return `pi_${this.cases}_${asset}`;
  }
}

/** What the ledger holds for safe and final. */
async function taggedIn(test: ChainTest): Promise<Tagged> {
  const [row] = await test.chains.dataSource.query<[Tagged]>(
    `SELECT safe_height::int AS safe, finalized_height::int AS finalized FROM chain_cursor WHERE network = 'ethereum'`,
  );
  return row;
}
