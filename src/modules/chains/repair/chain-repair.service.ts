import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG, type Config, type NetworkConfig } from '../../../config/config.types.js';
import type { By } from '../../../database/by.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { TypedNumber } from '../../../kernel/text/typed-number.js';
import { coreNode } from '../bitcoin/core-nodes.js';
import { unknownNetwork } from '../chains.errors.js';
import { LedgerRepository } from '../data/ledger.repository.js';
import type { BlockPoint, Cursor } from '../data/ledger.types.js';
import { type LeaseStanding, WatchLeaseRepository } from '../data/watch-lease.repository.js';
import { bitcoinNetwork } from '../domain/bitcoin-network.js';
import { RpcNode } from '../evm/node/rpc-node.js';
import { NoCommonAncestor } from '../node.errors.js';
import { type ChainSource, commonAncestor } from '../watching/common-ancestor.js';
import { type ChainBlock, mustBeChained } from '../watching/must-be-chained.js';
import { describeFailure } from '../watching/node-failure.js';

/** So many blocks that something rests on are compared with the node's before a cursor is put among them. */
const COMPARED_BLOCKS = 200;

/** So many blocks below a new cursor are kept with it. */
const KEPT_BELOW = 6;

/** The first node, asked what the watcher asks of it. */
type AskedNode = ChainSource & { latest(): Promise<BlockPoint> };

export interface ChainStanding {
  readonly network: string;
  readonly cursor: Cursor | null;
  /** What the first node has where the cursor stands; `null` when it has no such block. */
  readonly nodeHashAtCursor: string | null;
  /** The highest of our blocks that is on the node's chain; `null` when there is none. */
  readonly commonHeight: number | null;
  readonly watchedBy: LeaseStanding | null;
  /** Why the network cannot go on by itself, or cannot be judged. */
  readonly reason: string | null;
}

export interface Resumed {
  readonly network: string;
  readonly from: Cursor;
  readonly to: Cursor;
  /** Transfers that stand nowhere until they are found again. */
  readonly orphaned: number;
}

/** What somebody above the chains keeps of blocks. */
export interface RestsOnBlocks {
  /** In which blocks up to a height something of theirs stands, the highest first. */
  restedOn(network: string, upTo: number, most: number): Promise<readonly RestedOn[]>;
  /** Nothing above that height is what it was. In the transaction that moves the cursor. */
  rewound(tx: EntityManager, network: string, height: number): Promise<void>;
}

export interface RestedOn {
  readonly height: number;
  /** `null` is no hash of any block. */
  readonly hash: string | null;
  readonly facts: number;
}

/** What the operator may do with a network that cannot go on by itself. */
@Injectable()
export class ChainRepairService {
  private readonly others: RestsOnBlocks[] = [];

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly dataSource: DataSource,
    private readonly ledger: LedgerRepository,
    private readonly lease: WatchLeaseRepository,
  ) {}

  /** From now on these too have to be on the chain that a network goes on with. */
  alsoRests(others: RestsOnBlocks): void {
    this.others.push(others);
  }

  /** @throws DomainError `unknown-network` */
  async show(id: string): Promise<ChainStanding> {
    const network = this.networkOf(id);
    const cursor = await this.ledger.cursor(id);
    const watchedBy = await this.lease.standing(this.dataSource, id);
    const unknown = { network: id, cursor, nodeHashAtCursor: null, commonHeight: null, watchedBy };
    if (!cursor) return { ...unknown, reason: 'it was never watched' };
    const node = nodeOf(network);
    try {
      const nodeHashAtCursor = (await node.header(cursor.height))?.hash ?? null;
      const stored = await this.ledger.storedBlocks(id, cursor.height);
      const { height } = await commonAncestor(node, stored, await node.latest());
      return { ...unknown, nodeHashAtCursor, commonHeight: height, reason: null };
    } catch (error) {
      const reason =
        error instanceof NoCommonAncestor ? error.message : describeFailure(error, network.rpcUrl);
      return { ...unknown, reason };
    }
  }

  /**
   * Puts the cursor of a halted network at the node's block of that height. Facts above stand nowhere until they are
   * found again. Whoever watches is fenced off meanwhile and goes on from there; nothing else is stopped.
   * @throws DomainError `unknown-network`, `not-halted`, `invalid-height`, `not-on-the-chain`
   */
  async rewind(id: string, height: TypedNumber, by: By): Promise<Resumed> {
    const network = this.networkOf(id);
    const cursor = await this.ledger.cursor(id);
    if (!cursor) throw notHalted(id);
    const node = nodeOf(network);
    await this.mustBeHalted(id, node, cursor);
    if (height === 'unreadable') throw invalidHeight(cursor.height);
    const to = Number.isSafeInteger(height) && height >= 0 ? await node.header(height) : null;
    if (!to || height > cursor.height) throw invalidHeight(cursor.height);
    await this.mustBeKnownTo(node, id, height);
    const known = await withSomeBelow(node, to);
    const term = await this.lease.seize(this.dataSource, id);
    let resumed: Resumed | null = null;
    const done = await this.ledger.rewind(term, network.family, cursor, to, async (tx, orphaned) => {
      await this.ledger.keepOnly(tx, id, known);
      for (const each of this.others) await each.rewound(tx, id, to.height);
      resumed = { network: id, from: cursor, to: { height: to.height, hash: to.hash }, orphaned };
      const change = { action: 'chain.rewound', subject: id, detail: { ...resumed } } as const;
      await by.record(tx, { merchantId: null, ...change });
    });
    if (done === null || !resumed) throw notHalted(id);
    return resumed;
  }

  /** A network that can go on by itself does so better than any command. */
  private async mustBeHalted(id: string, node: AskedNode, cursor: Cursor): Promise<void> {
    const stored = await this.ledger.storedBlocks(id, cursor.height);
    try {
      await commonAncestor(node, stored, await node.latest());
    } catch (error) {
      if (error instanceof NoCommonAncestor) return;
      throw error;
    }
    throw notHalted(id);
  }

  /** Below the cursor nothing is looked at again: what rests on blocks that the node does not have would stay for ever. */
  private async mustBeKnownTo(node: AskedNode, id: string, height: number): Promise<void> {
    const blocks = await this.restedOn(id, height);
    let confirmed: number | null = null;
    let lowest: number | null = null;
    let facts = 0;
    for (const block of blocks) {
      if (confirmed !== null && block.height < confirmed) break;
      const there: BlockPoint | null = await node.header(block.height);
      // Before 0.2.0 a balance named no block. Into the first one nothing has been paid.
      const isFirst = block.height === 0 && block.hash === null;
      if (isFirst || there?.hash === block.hash) {
        confirmed = block.height;
      } else {
        lowest = block.height;
        facts += block.facts;
      }
    }
    if (lowest === null) return;
    if (lowest === 0)
      throw new DomainError(
        'invalid',
        'not-on-the-chain',
        `this is another chain: what rests on its first block stands nowhere here. It needs a database of its own.`,
      );
    throw new DomainError(
      'invalid',
      'not-on-the-chain',
      `${facts} transfers, refunds, collections and balances up to block ${height} rest on blocks that the node does not have, ` +
        `the lowest of those looked at on block ${lowest}: they would count for ever. Go back to ${lowest - 1} or below.`,
    );
  }

  private async restedOn(id: string, height: number): Promise<RestedOn[]> {
    const all = await Promise.all([
      this.ledger.blocksRestedOn(id, height, COMPARED_BLOCKS),
      ...this.others.map((each) => each.restedOn(id, height, COMPARED_BLOCKS)),
    ]);
    return all
      .flat()
      .sort((a, b) => b.height - a.height)
      .slice(0, COMPARED_BLOCKS);
  }

  private networkOf(id: string): NetworkConfig {
    const network = this.config.networks.find((candidate) => candidate.id === id);
    if (!network) throw unknownNetwork(id);
    return network;
  }
}

/** For a reorganisation right after to walk back in. @throws InconsistentNode unless they are one chain */
async function withSomeBelow(node: AskedNode, to: ChainBlock): Promise<ChainBlock[]> {
  const blocks = [to];
  for (let height = to.height - 1; height >= Math.max(0, to.height - KEPT_BELOW); height -= 1) {
    const block = await node.header(height);
    if (!block) break;
    blocks.unshift(block);
  }
  mustBeChained(blocks);
  return blocks;
}

function nodeOf(network: NetworkConfig): AskedNode {
  const { family, rpcUrl } = network;
  if (family === 'evm') {
    const node = new RpcNode(rpcUrl);
    return Object.assign(node, { latest: async () => (await node.tips()).latest });
  }
  const node = coreNode(network);
  return Object.assign(node, { latest: () => node.tip(bitcoinNetwork(network).prefix) });
}

function notHalted(network: string): DomainError {
  return new DomainError(
    'conflict',
    'not-halted',
    `${network} shares blocks with its node and goes on by itself: nothing was changed.`,
  );
}

function invalidHeight(cursorHeight: number): DomainError {
  return new DomainError(
    'invalid',
    'invalid-height',
    `The height is one of the node's blocks, up to the cursor's (${cursorHeight}).`,
  );
}
