import { Logger } from '@nestjs/common';
import { numberToHex, RpcRequestError } from 'viem';
import { seededRandom } from '../../../../../test/support/random.js';
import { runsOf, seedOf } from '../../../../../test/support/run/seed.js';
import { PRESETS } from '../../../../config/networks.js';
import { entryAt, valueAt } from '../../../../kernel/lookups.js';
import type { BalancesRepository, WatchedBalance } from '../../data/balances/balances.repository.js';
import type { Cursor, FoundCollection, FoundTransfer } from '../../data/ledger.types.js';
import { COLLECTED_TOPIC } from '../node/collected-topic.js';
import type { EvmBlock, EvmLog, EvmNode } from '../node/evm-node.types.js';
import { InternalValue } from './internal-value.js';

// Random histories of a chain and of its node, which refuses, is late, and answers out of a block that it is mining: what is
// credited in the end is what was paid. COIN_SEED and COIN_RUNS repeat what a failure has printed.

const SEED = seedOf('COIN_SEED', 'COIN_RUNS');
const RUNS = runsOf('COIN_RUNS', 500);
const RUN_MS = 1_000;
/** For so long a node may answer ahead of its tip. */
const MOST_ADDING_MS = 900;

const refusal = (code: number) =>
  new RpcRequestError({ body: {}, error: { code, message: 'no' }, url: 'http://node' });
const REFUSALS = [refusal(-32005), refusal(-32603)];

type Kind = 'transaction' | 'call' | 'collect';
interface Sent {
  readonly txid: string;
  readonly kind: Kind;
  readonly address: string;
  readonly atoms: bigint;
}
interface Block {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly sent: readonly Sent[];
  readonly held: ReadonlyMap<string, bigint>;
}

beforeAll(() => Logger.overrideLogger(false));
beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});
afterAll(() => Logger.overrideLogger(undefined as never));

/** A chain, with what waits for its next block. */
class Chain {
  readonly pool: Sent[] = [];
  blocks: Block[] = [];
  private readonly all = new Map<string, Block>();

  /** What the block holds that is being added. */
  private next: readonly Sent[] | null = null;

  get tip(): Block {
    return entryAt(this.blocks, -1);
  }

  at(hash: string): Block {
    return valueAt(this.all, hash);
  }

  /** For so long the node answers for its tip out of the state of the next block. */
  add(forMs: number): void {
    if (this.next) return;
    const next = this.pool.splice(0);
    this.next = next;
    setTimeout(() => {
      if (this.next === next) this.mine();
    }, forMs);
  }

  heldAt(hash: string): ReadonlyMap<string, bigint> {
    return hash === this.tip.hash && this.next ? after(this.tip, this.next).held : this.at(hash).held;
  }

  mine(sent: readonly Sent[] = this.next ?? this.pool.splice(0)): void {
    this.next = null;
    const parent = this.blocks.at(-1);
    const { held, mined } = after(parent, sent);
    const [height, hash] = [this.blocks.length, `0x${this.all.size}`];
    const block = { height, hash, parentHash: parent?.hash ?? '0x', sent: mined, held };
    this.all.set(hash, block);
    this.blocks.push(block);
  }

  /** The last two blocks anew, with all that they held in the first or in the second of them. */
  turn(isInFirst: boolean): void {
    const sent = this.blocks.slice(-2).flatMap((block) => block.sent);
    this.blocks.length -= 2;
    this.mine(isInFirst ? sent : []);
    this.mine(isInFirst ? [] : sent);
  }

  paid(address: string): bigint {
    const own = this.blocks.flatMap(({ sent }) => sent).filter((one) => one.address === address);
    return sum(own.filter(({ kind }) => kind !== 'collect').map(({ atoms }) => atoms));
  }
}

function after(parent: Block | undefined, sent: readonly Sent[]) {
  const held = new Map(parent?.held);
  const mined = sent.map((one) => {
    const before = held.get(one.address) ?? 0n;
    held.set(one.address, one.kind === 'collect' ? 0n : before + one.atoms);
    return one.kind === 'collect' ? { ...one, atoms: before } : one;
  });
  return { held, mined };
}

/** How the node fails, each as a chance. */
interface Faults {
  readonly refuses: number;
  readonly isLate: number;
  readonly isAhead: number;
}
const HONEST: Faults = { refuses: 0, isLate: 0, isAhead: 0 };

class History {
  readonly chain = new Chain();
  readonly told: string[] = [];
  faults = HONEST;
  blindFrom: number | null = null;
  private cursor: Cursor;
  private transfers: FoundTransfer[] = [];
  private baselines: { readonly address: string; readonly height: number; readonly atoms: bigint }[] = [];
  private passed = new Map<number, { readonly hash: string; spenders: string[] }>();
  private issued: { readonly address: string; readonly passed: number }[] = [];
  private readonly coin: InternalValue;

  constructor(
    private readonly random: () => number,
    private readonly hasTraces: boolean,
  ) {
    for (let i = 0; i < 4; i += 1) this.chain.mine();
    this.cursor = this.chain.tip;
    for (const { height, hash } of this.chain.blocks) this.passed.set(height, { hash, spenders: [] });
    const network = { ...PRESETS[0]!, rpcUrl: 'http://node' };
    const repository = this.repository() as BalancesRepository;
    this.coin = new InternalValue(network, 'ETH', this.node() as EvmNode, repository);
  }

  get isDone(): boolean {
    return this.blindFrom === null && this.cursor.hash === this.chain.tip.hash;
  }

  issue(address: string): void {
    this.issued.push({ address, passed: this.cursor.height });
  }

  credited(address: string): bigint {
    return sum(this.of(address).map(({ amountAtoms }) => amountAtoms));
  }

  /** As `ChainFollower` makes one. */
  async step(mostBlocks: number): Promise<void> {
    const { chain, cursor, coin } = this;
    if (chain.tip.height < cursor.height) return;
    if (chain.blocks[cursor.height]?.hash !== cursor.hash) return this.rewind();
    const blocks = chain.blocks.slice(cursor.height + 1, cursor.height + 1 + mostBlocks);
    if (blocks.length === 0 && !coin.isBehind) return;
    const transfers = blocks.flatMap((block) => this.direct(block));
    const { blindFrom } = this;
    const step = {
      from: cursor,
      blocks: blocks.map(asEvm),
      transfers,
      collections: blocks.flatMap(collectionsOf),
      blindFrom,
    };
    try {
      const finds = await whenDone(coin.in(step));
      for (const { height, hash } of blocks) this.passed.set(height, { hash, spenders: [] });
      for (const { address, height } of finds.spendings) valueAt(this.passed, height).spenders.push(address);
      this.transfers.push(...transfers, ...finds.transfers);
      for (const { address, height, unexplainedAtoms: atoms } of finds.baselines) {
        this.baselines = this.baselines.filter((one) => one.address !== address || one.height !== height);
        this.baselines.push({ address, height, atoms });
      }
      this.blindFrom = finds.blindFrom;
      this.cursor = blocks.at(-1) ?? cursor;
      const found = finds.transfers.map((one) => `${one.address} ${one.amountAtoms} at ${one.block.height}`);
      this.told.push(`to ${this.cursor.height}, blind from ${this.blindFrom}: ${found.join(', ')}`);
    } catch (error) {
      this.told.push(`from ${cursor.height}: ${(error as Error).message.split('\n')[0]}`);
    }
  }

  private rewind(): void {
    let { height } = this.cursor;
    while (this.passed.get(height)?.hash !== this.chain.blocks[height]?.hash) height -= 1;
    this.told.push(`back to ${height}`);
    this.transfers = this.transfers.filter(({ block }) => block.height <= height);
    this.baselines = this.baselines.filter((one) => one.height <= height);
    this.passed = new Map([...this.passed].filter(([at]) => at <= height));
    this.issued = this.issued.map((one) => ({ ...one, passed: Math.min(one.passed, height) }));
    this.blindFrom = this.blindFrom === null ? null : Math.min(this.blindFrom, height);
    this.cursor = entryAt(this.chain.blocks, height);
  }

  private of(address: string): FoundTransfer[] {
    return this.transfers.filter((transfer) => transfer.address === address);
  }

  private direct(block: Block): FoundTransfer[] {
    return block.sent.flatMap(({ kind, txid, address, atoms }) => {
      if (kind !== 'transaction') return [];
      const by = { sender: 'buyer', nonce: 0, payers: ['buyer'] };
      const what = { txid, output: 'native', asset: 'ETH', address, subject: address, amountAtoms: atoms };
      return [{ ...what, ...by, block: pointOf(block) }];
    });
  }

  /** Late, or never; made out before it is late, or then. */
  private async answer<T>(tell: () => T): Promise<T> {
    const { refuses, isLate } = this.faults;
    const early = this.random() < 0.5 ? { told: tell() } : null;
    if (this.random() < isLate) await new Promise((done) => setTimeout(done, this.random() * 6_000));
    const refusal = this.random() < refuses ? REFUSALS[Math.floor(this.random() * 2)] : null;
    if (refusal) throw refusal;
    return early ? early.told : tell();
  }

  private node(): Partial<EvmNode> {
    const { chain } = this;
    const held = (hash: string) => {
      if (this.random() < this.faults.isAhead) chain.add(this.random() * MOST_ADDING_MS);
      return chain.heldAt(hash);
    };
    const traces = (block: EvmBlock) => (this.hasTraces ? callsIn(chain.at(block.hash)) : null);
    return {
      balances: (addresses, hash) =>
        this.answer(() => {
          const of = held(hash);
          return addresses.map((address) => of.get(address) ?? 0n);
        }),
      blocks: (from, to) => this.answer(() => chain.blocks.slice(from, to + 1).map(asEvm)),
      hasBlock: (height) => this.answer(() => height < chain.blocks.length),
      header: (height) => this.answer(() => asEvm(entryAt(chain.blocks, height))),
      collectedLogs: (hash) => this.answer(() => logsOf(chain.at(hash))),
      internalCalls: (block) => this.answer(() => traces(block)).catch(() => null),
      receipts: (of) =>
        this.answer(() =>
          of.map(({ txid, blockHash }) => {
            const logs = logsOf(chain.at(String(blockHash))).filter((log) => log.txid === txid);
            return { txid, blockHash: String(blockHash), succeeded: true, feeAtoms: 0n, logs };
          }),
        ),
    };
  }

  private repository(): Partial<BalancesRepository> {
    return {
      watched: () => Promise.resolve({ unwatched: 0, balances: this.issued.map((one) => this.balance(one)) }),
      passed: (_, above) => Promise.resolve(new Map([...this.passed].filter(([height]) => height > above))),
      movements: (_, of, above) =>
        Promise.resolve(
          of
            .flatMap(({ address }) => this.of(address))
            .map(({ address, block, amountAtoms }) => ({ address, height: block.height, atoms: amountAtoms }))
            .filter(({ height }) => height > above),
        ),
    };
  }

  private balance({
    address,
    passed,
  }: {
    readonly address: string;
    readonly passed: number;
  }): WatchedBalance {
    const own = this.baselines.filter((one) => one.address === address);
    const [baseline] = own.sort((one, other) => other.height - one.height);
    const reference = { height: passed, hash: valueAt(this.passed, passed).hash };
    const before = this.of(address).filter(({ block }) => block.height <= passed);
    return {
      address,
      subject: address,
      isForwarder: true,
      knownAtoms: this.credited(address),
      knownBeforeAtoms: sum(before.map(({ amountAtoms }) => amountAtoms)),
      unexplainedAtoms: baseline?.atoms ?? null,
      baselineHeight: baseline?.height ?? null,
      reference: baseline ? null : reference,
    };
  }
}

const sum = (atoms: readonly bigint[]): bigint => atoms.reduce((all, one) => all + one, 0n);
const pointOf = ({ height, hash }: Block) => ({ height, hash, time: new Date(height) });

function asEvm(block: Block): EvmBlock {
  const listed = block.sent.map(({ txid, kind, address, atoms }) => {
    const to = kind === 'transaction' ? address : 'contract';
    return { txid, sender: 'buyer', nonce: 0, to, valueAtoms: kind === 'collect' ? 0n : atoms };
  });
  return { ...pointOf(block), parentHash: block.parentHash, logsBloom: '0x', transactions: listed, listed };
}

function logsOf({ hash: blockHash, sent }: Block): EvmLog[] {
  return sent.flatMap(({ kind, txid, address: contract, atoms }, index) => {
    const data = numberToHex(atoms, { size: 32 });
    return kind === 'collect' ? [{ contract, topics: [COLLECTED_TOPIC], data, txid, blockHash, index }] : [];
  });
}

function collectionsOf(block: Block): FoundCollection[] {
  const collected = block.sent.filter(({ kind, atoms }) => kind === 'collect' && atoms > 0n);
  return collected.map(({ txid, address, atoms }) => {
    return { txid, output: 'log:0', asset: 'ETH', address, amountAtoms: atoms, block: pointOf(block) };
  });
}

function callsIn({ sent }: Block) {
  return sent.flatMap(({ kind, txid, address: to, atoms: valueAtoms }) =>
    kind === 'call' ? [{ txid, path: '0', payers: ['buyer'], to, valueAtoms }] : [],
  );
}

async function whenDone<T>(of: Promise<T>): Promise<T> {
  let isDone = false;
  const note = () => (isDone = true);
  of.then(note, note);
  for (let i = 0; i < 20 && !isDone; i += 1) await jest.advanceTimersByTimeAsync(0);
  while (!isDone) await jest.advanceTimersByTimeAsync(100);
  return of;
}

/** @returns what was credited otherwise than paid, with what happened */
async function lived(seed: number): Promise<string[]> {
  const random = seededRandom(seed);
  const upTo = (most: number) => Math.floor(random() * most);
  const history = new History(random, random() < 0.6);
  const { chain } = history;
  const ticks = 6 + upTo(8);
  const addresses = ['a', 'b', 'c'].slice(0, 1 + upTo(3));
  const sending = addresses.flatMap((address) => {
    const kinds: Kind[] = Array.from({ length: 1 + upTo(2) }, () =>
      random() < 0.5 ? 'transaction' : 'call',
    );
    for (let collects = upTo(3); collects > 0; collects -= 1) kinds.push('collect');
    return kinds.map((kind, i) => {
      return { at: upTo(ticks), sent: { txid: `${address}${i}`, kind, address, atoms: 5n } };
    });
  });
  addresses.forEach((address) => history.issue(address));
  const turned = random() < 0.4 ? upTo(ticks) : -1;
  const burst = random() < 0.3 ? upTo(ticks) : -1;
  const isAhead = random() < 0.5 ? 0.3 : 0;
  for (let tick = 0; tick < ticks; tick += 1) {
    const refuses = random() < 0.6 ? random() * 0.7 : 0;
    history.faults = { refuses, isLate: random() < 0.2 ? random() * 0.5 : 0, isAhead };
    chain.pool.push(...sending.filter(({ at }) => at === tick).map(({ sent }) => sent));
    if (isAhead === 0 || random() < 0.5) chain.mine();
    if (tick === burst) for (let i = 0; i < 60; i += 1) chain.mine();
    if (tick === turned) chain.turn(random() < 0.5);
    for (let steps = upTo(3); steps > 0; steps -= 1) {
      await history.step(1 + upTo(20));
      await jest.advanceTimersByTimeAsync(random() < 0.1 ? 5_000 : 200);
    }
  }
  history.faults = HONEST;
  for (let steps = 0; steps < 60 && !(steps > 0 && history.isDone); steps += 1) {
    if (steps % 10 === 0) chain.mine();
    await history.step(1 + upTo(20));
    await jest.advanceTimersByTimeAsync(5_000);
  }
  const wrong = addresses
    .filter((address) => history.credited(address) !== chain.paid(address))
    .map((address) => `${address} was paid ${chain.paid(address)}, credited ${history.credited(address)}`);
  if (!history.isDone) wrong.push('not all was looked into');
  return wrong.length > 0 ? [`COIN_SEED=${seed} COIN_RUNS=1`, ...wrong, ...history.told] : [];
}

it(
  'credits what was paid, whatever was refused, late, or told out of the next block',
  async () => {
    for (let seed = SEED; seed < SEED + RUNS; seed += 1) expect(await lived(seed)).toEqual([]);
  },
  RUNS * RUN_MS,
);
