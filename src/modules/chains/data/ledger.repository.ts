import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';
import { DataSource } from 'typeorm';
import type { Depth, Family } from '../../../config/config.types.js';
import { COUNTED_BLOCKS } from '../../../config/depths.js';
import { readClock } from '../../../database/clock.js';
import { run } from '../../../database/statement.js';
import { fieldsOf } from '../../../kernel/error-fields.js';
import { only } from '../../../kernel/lookups.js';
import type { CrossCheck } from '../chains.types.js';
import { WrongChain } from '../node.errors.js';
import * as issuers from './addresses/issuers.sql.js';
import { MOST_WATCHED } from './balances/balances.repository.js';
import { DROP_BASELINES } from './balances/balances.sql.js';
import * as cursors from './cursor.sql.js';
import {
  fenced,
  type FencedTx,
  MOST_CHANGED,
  type Term,
  write,
  writeInPieces,
  writeUntilDone,
} from './fenced.statement.js';
import type {
  Advance,
  Advanced,
  BlockPoint,
  ChainIdentity,
  Covering,
  Cursor,
  FoundCollection,
  IssuedTo,
  Orphan,
  Sight,
  Tips,
  WatchedCursor,
  WatchFailure,
} from './ledger.types.js';
import { arraysOf, COLLECTED, INCLUDED } from './movement-columns.sql.js';
import * as movements from './movements.sql.js';
import * as rewinds from './rewind.sql.js';
import { supersedeBy } from './rivals.statement.js';

/** How many blocks are kept to find a common ancestor in: hours on Ethereum, a quarter of an hour on a 1 s chain. */
export const KEPT_BLOCKS = 1_024;
/** More are kept where finality is deeper, up to these: what becomes final is held against them (ADR 31). */
const MOST_KEPT_BLOCKS = 131_072;
/** So many transfers a step makes final, and the next one what is left: until then they are told of at each block. */
const MOST_MADE_FINAL = 20 * MOST_CHANGED;

/**
 * What watchers write: with the term of the one that writes, and every move of a cursor with all of its facts in one
 * transaction.
 */
@Injectable()
export class LedgerRepository {
  /**
   * After every commit that may have changed facts, in this process. Not for a look that found nothing new, and not for blocks
   * with others behind them: what they change changes again at once, and whoever decides by it finds it at its own pace.
   */
  readonly changed = new Subject<void>();
  private hasForwarders = false;

  constructor(private readonly dataSource: DataSource) {}

  now(): Promise<Date> {
    return readClock(this.dataSource);
  }

  async cursor(network: string): Promise<WatchedCursor | null> {
    return (await this.cursorNow(network))?.cursor ?? null;
  }

  /** With the moment, by the database's clock. */
  async cursorNow(network: string): Promise<{ readonly cursor: WatchedCursor; readonly at: Date } | null> {
    const [row] = await run<CursorRow>(this.dataSource, cursors.CURSOR, [network]);
    if (!row) return null;
    const cursor = {
      height: Number(row.height),
      hash: row.hash,
      chainId: row.chainId === null ? null : Number(row.chainId),
      genesisHash: row.genesisHash,
      safeHeight: Number(row.safeHeight),
      finalizedHeight: Number(row.finalizedHeight),
      knownTags: row.knownTags,
      coinBlindFrom: row.coinBlindFrom === null ? null : Number(row.coinBlindFrom),
      coinUnwatched: row.coinUnwatched,
      covered: new Map(Object.entries(row.covered)),
    };
    return { cursor, at: row.readAt };
  }

  /**
   * Remembers on which chain a network is, where that is not known yet.
   * @throws WrongChain when another network of this database follows that chain
   */
  async identify(term: Term, { chainId, genesisHash }: ChainIdentity): Promise<void> {
    const { network } = term;
    const values = [network, chainId, genesisHash];
    await refusingTwins(
      network,
      fenced(this.dataSource, term, (tx) => write(tx, cursors.IDENTIFY, values)),
    );
  }

  /** @param tags that nodes were not known to know: "host finalized" */
  async knowTags(term: Term, tags: readonly string[]): Promise<void> {
    await fenced(this.dataSource, term, (tx) => write(tx, cursors.KNOW_TAGS, [term.network, tags]));
  }

  /** @param failure why nobody can watch the network, `null` once somebody can */
  async observeFailure(term: Term, failure: WatchFailure | null): Promise<void> {
    const { network } = term;
    await fenced(this.dataSource, term, (tx) =>
      failure === null
        ? write(tx, cursors.WATCH_WORKS, [network])
        : write(tx, cursors.WATCH_FAILS, [network, failure.reason, failure.isHalted]),
    );
  }

  async anyAddress(family: Family): Promise<boolean> {
    const [row] = await run<{ issued: boolean }>(this.dataSource, issuers.ANY_ADDRESS, [family]);
    return row?.issued ?? false;
  }

  /** Whether anybody was ever told to pay to an address without a key; once one was, for ever. */
  async anyForwarder(): Promise<boolean> {
    if (!this.hasForwarders) {
      const [row] = await run<{ issued: boolean }>(this.dataSource, issuers.ANY_FORWARDER, []);
      this.hasForwarders = row?.issued ?? false;
    }
    return this.hasForwarders;
  }

  /** Which of these addresses are ours, in one indexed look-up however many we watch: address → subject. */
  async owners(family: Family, addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (addresses.length === 0) return new Map();
    const rows = await run<{ address: string; subject: string }>(this.dataSource, issuers.OWNERS, [
      family,
      addresses,
    ]);
    return new Map(rows.map((row) => [row.address, row.subject]));
  }

  /** As `owners`, with where each address came from. */
  async issued(family: Family, addresses: readonly string[]): Promise<ReadonlyMap<string, IssuedTo>> {
    if (addresses.length === 0) return new Map();
    type Row = IssuedTo & { readonly address: string };
    const rows = await run<Row>(this.dataSource, issuers.ISSUED, [family, addresses]);
    return new Map(rows.map(({ address, ...issued }) => [address, issued]));
  }

  /**
   * Puts the cursor of a new network at a block; whoever comes second leaves it where the first one put it.
   * @throws WrongChain when another network of this database follows that chain
   */
  async begin(
    term: Term,
    at: BlockPoint,
    tips: Tips,
    { chainId, genesisHash }: ChainIdentity,
    assetKeys: readonly string[],
  ): Promise<void> {
    const { safeHeight, finalizedHeight, nodeHeight } = tips;
    const { network } = term;
    const begun = fenced(this.dataSource, term, async (tx) => {
      const values = [network, at.height, at.hash, at.time, safeHeight, finalizedHeight, nodeHeight];
      const rows = await write(tx, cursors.BEGIN_AT, [...values, chainId, genesisHash, assetKeys]);
      if (rows.length > 0) await keepBlocks(tx, network, [at], at.height);
    });
    await refusingTwins(network, begun);
  }

  /** @returns `null` when another watcher moved the cursor meanwhile: then nothing was written. */
  async advance(term: Term, step: Advance): Promise<Advanced | null> {
    const done = await fenced(this.dataSource, term, (tx) => advanceIn(tx, term.network, step));
    if (done?.isNews && step.to.height >= step.tips.nodeHeight) this.changed.next();
    return done;
  }

  /** @returns `false` when the cursor or the assets have moved meanwhile: then nothing was written */
  async cover(term: Term, step: Covering): Promise<boolean> {
    const { network } = term;
    const { at, assetKeys, fromHeight, toHeight, transfers } = step;
    const covered = await fenced(this.dataSource, term, async (tx) => {
      const values = [network, at.height, at.hash, assetKeys, fromHeight, toHeight];
      if ((await write(tx, cursors.COVER, values)).length === 0) return false;
      if (transfers.length > 0) {
        // Nobody looked for these assets when the blocks were read: the blocks' own time is all there is.
        await writeTransfers(tx, network, step, { blindSince: new Date(0) });
        const subjects = [...new Set(transfers.map(({ subject }) => subject))];
        await writeInPieces(tx, movements.WAKE_SUBJECTS, subjects, (some) => [some]);
      }
      await writeCollections(tx, network, step.collections);
      return true;
    });
    if (covered && transfers.length > 0) this.changed.next();
    return covered;
  }

  /** A node that is behind us: visible as such, and nothing else changes. */
  async observeNode(term: Term, nodeHeight: number): Promise<void> {
    await fenced(this.dataSource, term, (tx) => write(tx, cursors.NODE_HEIGHT, [term.network, nodeHeight]));
  }

  /** What the second node says; `null` without one. */
  async observeCrossCheck(term: Term, verdict: CrossCheck | null): Promise<void> {
    await fenced(this.dataSource, term, (tx) => write(tx, cursors.CROSS_CHECK, [term.network, verdict]));
  }

  /** What was scanned, from `height` downwards, in which a common ancestor is looked for. */
  async storedBlocks(network: string, height: number): Promise<Cursor[]> {
    const rows = await run<BlockRow>(this.dataSource, cursors.STORED_BLOCKS, [network, height, KEPT_BLOCKS]);
    return rows.map(toCursor);
  }

  /** Of these heights those that were scanned and are kept, in no order. */
  async storedAt(network: string, heights: readonly number[]): Promise<Cursor[]> {
    const rows = await run<BlockRow>(this.dataSource, cursors.BLOCKS_AT, [network, heights]);
    return rows.map(toCursor);
  }

  /**
   * After a reorganisation: what stood above the ancestor stands nowhere, until it is scanned again.
   * @returns how many transfers that are, `null` when another watcher moved the cursor meanwhile
   */
  async rewind(
    term: Term,
    family: Family,
    from: Cursor,
    to: BlockPoint,
    alongside?: (tx: FencedTx, orphaned: number) => Promise<void>,
  ): Promise<number | null> {
    const { network } = term;
    const orphaned = await fenced(this.dataSource, term, async (tx) => {
      await write(tx, rewinds.AWAIT_ISSUING, [family]);
      const values = [network, from.height, from.hash, to.height, to.hash, to.time];
      if ((await write(tx, rewinds.REWIND_CURSOR, values)).length === 0) return null;
      await write(tx, rewinds.LOWER_PASSED, [network, to.height, family]);
      await write(tx, rewinds.DROP_BLOCKS, [network, to.height]);
      await write(tx, DROP_BASELINES, [network, to.height]);
      await write(tx, rewinds.DROP_COLLECTIONS, [network, to.height]);
      await write(tx, rewinds.COMPARE_AGAIN, [network, to.height, family]);
      const orphaned = await writeUntilDone(tx, rewinds.ORPHAN, [network, to.height]);
      await alongside?.(tx, orphaned);
      return orphaned;
    });
    if (orphaned !== null) this.changed.next();
    return orphaned;
  }

  /** @param blocks those that alone are known to be on the node's chain: the one at the cursor, and some below it */
  async keepOnly(tx: FencedTx, network: string, blocks: readonly Cursor[]): Promise<void> {
    await write(tx, rewinds.FORGET_BLOCKS, [network]);
    await write(tx, rewinds.FORGET_CHAIN, [network]);
    const heights = blocks.map(({ height }) => height);
    await write(tx, rewinds.KEEP_ONLY, [network, heights, blocks.map(({ hash }) => hash)]);
  }

  /** In which blocks up to a height something stands, the highest first. A `null` is no hash of any block. */
  async blocksRestedOn(
    network: string,
    upTo: number,
    most: number,
  ): Promise<{ readonly height: number; readonly hash: string | null; readonly facts: number }[]> {
    type Row = { height: string; hash: string | null; facts: number };
    const rows = await run<Row>(this.dataSource, rewinds.BLOCKS_RESTED_ON, [network, upTo, most]);
    return rows.map((row) => ({ ...row, height: Number(row.height) }));
  }

  /**
   * Missing transfers that another transaction of the same sender and nonce, or their own one, may exclude.
   * @param byDefault the depth by which that is decided where no quote says otherwise
   */
  async orphans(network: string, byDefault: Depth): Promise<Orphan[]> {
    type Row = Record<'id' | 'txid' | 'decidedHeight', string> &
      Record<'sender' | 'nonce' | 'againHeight', string | null>;
    const rows = await run<Row>(this.dataSource, movements.ORPHANS, [network, byDefault]);
    return rows.map(({ id, txid, sender, nonce, againHeight, decidedHeight }) => ({
      id,
      txid,
      againHeight: againHeight === null ? null : Number(againHeight),
      decidedHeight: Number(decidedHeight),
      account: sender === null || nonce === null ? null : { sender, nonce: Number(nonce) },
    }));
  }

  /** @param at where the cursor stood when it was found that they can never come back */
  async markReplaced(term: Term, at: Cursor, ids: readonly string[]): Promise<void> {
    const { network } = term;
    const valuesOf = (some: readonly string[]) => [some, network, at.height, at.hash];
    await fenced(this.dataSource, term, (tx) => writeInPieces(tx, movements.REPLACE, ids, valuesOf));
    this.changed.next();
  }
}

interface BlockRow {
  height: string;
  hash: string;
}

function toCursor({ height, hash }: BlockRow): Cursor {
  return { height: Number(height), hash };
}

interface CursorRow {
  readAt: Date;
  height: string;
  hash: string;
  chainId: string | null;
  genesisHash: string | null;
  safeHeight: string;
  finalizedHeight: string;
  knownTags: string[];
  coinBlindFrom: string | null;
  coinUnwatched: number;
  covered: Readonly<Record<string, number>>;
}

/** The unique index on a chain's identity decides, so that two networks that start at once cannot both win. */
async function refusingTwins<T>(network: string, written: Promise<T>): Promise<T> {
  try {
    return await written;
  } catch (error) {
    if (fieldsOf(error).constraint !== 'chain_cursor_chain') throw error;
    throw new WrongChain(
      `${network} is on the same chain as another network of this database: each payment would be recorded twice`,
    );
  }
}

type MovedRow = {
  syncedBefore: Date;
  synced: boolean;
  unsyncedMs: number;
  unseenMs: number;
  deeper: boolean;
  missing: boolean;
};

/** `isNews`: more was written than where the cursor stands and when the network was seen. */
async function advanceIn(
  tx: FencedTx,
  network: string,
  step: Advance,
): Promise<(Advanced & { readonly isNews: boolean }) | null> {
  const { from, to, tips, blocks } = step;
  const [moved] = await write<MovedRow>(tx, cursors.MOVE_CURSOR, [
    network,
    from.height,
    from.hash,
    to.height,
    to.hash,
    to.time,
    tips.nodeHeight,
    tips.safeHeight,
    tips.finalizedHeight,
    step.maxTipAgeS,
    step.assetKeys,
    step.lookedAt,
  ]);
  if (!moved) return null;
  if (blocks.length > 0) await keepBlocks(tx, network, blocks, from.finalizedHeight);
  const isUnseen = moved.unsyncedMs > step.blindAfterMs;
  const addUnseenTime = () =>
    write(tx, movements.ADD_UNSEEN_TIME, [network, step.family, MOST_WATCHED, moved.syncedBefore, isUnseen]);
  // Before anything takes the place of what is missing: whether that was live goes by the same time.
  if (moved.synced && moved.missing && isUnseen) await addUnseenTime();
  const isBlind = step.isFirstLook === true || moved.unseenMs > step.blindAfterMs;
  const sight = { blindSince: isBlind ? moved.syncedBefore : null };
  if (step.transfers.length > 0) await writeTransfers(tx, network, step, sight);
  await writeCollections(tx, network, step.collections ?? []);
  await step.alongside?.(tx, sight);
  // What balances alone tell goes by whether they were told in this very step.
  if (moved.synced && moved.missing && !isUnseen) await addUnseenTime();
  const isDeeper = step.tellsDepth && (moved.deeper || blocks.length > 0);
  const isFound = blocks.length > 0 || step.transfers.length > 0 || step.alongside !== undefined;
  const isNews = isFound || isDeeper || (moved.synced && moved.missing);
  if (!isDeeper && step.transfers.length === 0) return { synced: moved.synced, orphans: false, isNews };
  const done = Math.min(tips.finalizedHeight, to.height - COUNTED_BLOCKS);
  const { orphans, rows } = only(
    await write<{ orphans: boolean; rows: number }>(tx, movements.DEEPEN, [
      network,
      done,
      [...new Set(step.transfers.map(({ txid }) => txid))],
    ]),
  );
  if (rows === MOST_CHANGED) await writeUntilDone(tx, movements.MAKE_FINAL, [network, done], MOST_MADE_FINAL);
  return { synced: moved.synced, orphans, isNews };
}

/** @param finalizedHeight it and all above it are kept */
async function keepBlocks(
  tx: FencedTx,
  network: string,
  blocks: readonly BlockPoint[],
  finalizedHeight: number,
): Promise<void> {
  const heights = blocks.map((block) => block.height);
  const hashes = blocks.map((block) => block.hash);
  const top = heights.at(-1) ?? 0;
  const lowest = Math.max(top - MOST_KEPT_BLOCKS, Math.min(top - KEPT_BLOCKS, finalizedHeight - 1)) + 1;
  await write(tx, cursors.KEEP_BLOCKS, [network, heights, hashes, lowest]);
}

type Writing = Pick<Advance, 'family' | 'transfers'>;

async function writeTransfers(
  tx: FencedTx,
  network: string,
  { family, transfers }: Writing,
  { blindSince }: Sight,
): Promise<void> {
  await writeInPieces(tx, movements.WRITE_TRANSFERS, transfers, (some) => [
    network,
    family,
    blindSince,
    ...arraysOf(INCLUDED, some),
  ]);
  // Bitcoin-like networks note first what the transactions spend.
  const txids = transfers.map(({ txid }) => txid);
  if (family === 'evm') await supersedeBy(tx, network, family, txids);
}

async function writeCollections(
  tx: FencedTx,
  network: string,
  collections: readonly FoundCollection[],
): Promise<void> {
  await writeInPieces(tx, movements.WRITE_COLLECTIONS, collections, (some) => [
    network,
    ...arraysOf(COLLECTED, some),
  ]);
}
