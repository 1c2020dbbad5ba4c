import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';
import { DataSource, type EntityManager } from 'typeorm';
import type { Family } from '../../../config/config.types.js';
import type { CrossCheck } from '../chains.types.js';
import { run } from '../../../database/statement.js';
import { newId } from '../../../kernel/ids.js';
import { DROP_BASELINES } from './balances.sql.js';
import * as sql from './ledger.sql.js';
import type { Advance, Advanced, BlockPoint, Cursor, FoundTransfer, Orphan, Tips } from './ledger.types.js';

/** How many blocks are kept to find a common ancestor in: hours on Ethereum, a quarter of an hour on a 1 s chain. */
export const KEPT_BLOCKS = 1_024;

/** What watchers write. Every method that moves a cursor does so with all of its facts in one transaction. */
@Injectable()
export class LedgerRepository {
  /** After every commit that may have changed facts, in this process. */
  readonly changed = new Subject<void>();

  constructor(private readonly dataSource: DataSource) {}

  async cursor(network: string): Promise<Cursor | null> {
    const [row] = await run<{ height: string; hash: string }>(this.dataSource, sql.CURSOR, [network]);
    return row ? { height: Number(row.height), hash: row.hash } : null;
  }

  async anyAddress(family: Family): Promise<boolean> {
    const [row] = await run<{ issued: boolean }>(this.dataSource, sql.ANY_ADDRESS, [family]);
    return row?.issued ?? false;
  }

  /** Which of these addresses are ours, in one indexed look-up however many we watch: address → subject. */
  async owners(family: Family, addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (addresses.length === 0) return new Map();
    const rows = await run<{ address: string; subject: string }>(this.dataSource, sql.OWNERS, [
      family,
      addresses,
    ]);
    return new Map(rows.map((row) => [row.address, row.subject]));
  }

  /** Puts the cursor of a new network at a block; whoever comes second leaves it where the first one put it. */
  async begin(network: string, at: BlockPoint, tips: Tips): Promise<void> {
    const { safeHeight, finalizedHeight, nodeHeight } = tips;
    await this.dataSource.transaction(async (tx) => {
      const values = [network, at.height, at.hash, at.time, safeHeight, finalizedHeight, nodeHeight];
      if ((await run(tx, sql.BEGIN_AT, values)).length > 0) await keepBlocks(tx, network, [at]);
    });
  }

  /** @returns `null` when another watcher moved the cursor meanwhile: then nothing was written. */
  async advance(step: Advance): Promise<Advanced | null> {
    const done = await this.dataSource.transaction((tx) => advanceIn(tx, step));
    if (done) this.changed.next();
    return done;
  }

  /** A node that is behind us: visible as such, and nothing else changes. */
  async observeNode(network: string, nodeHeight: number): Promise<void> {
    await run(this.dataSource, sql.NODE_HEIGHT, [network, nodeHeight]);
  }

  /** What the second node says; `null` without one. */
  async observeCrossCheck(network: string, verdict: CrossCheck | null): Promise<void> {
    await run(this.dataSource, sql.CROSS_CHECK, [network, verdict]);
  }

  /** The hashes that were scanned, from `height` downwards. */
  async storedBlocks(network: string, height: number): Promise<Cursor[]> {
    const rows = await run<{ height: string; hash: string }>(this.dataSource, sql.STORED_BLOCKS, [
      network,
      height,
    ]);
    return rows.map((row) => ({ height: Number(row.height), hash: row.hash }));
  }

  /**
   * After a reorganisation: what stood above the ancestor stands nowhere, until it is scanned again.
   * @returns how many transfers that are, `null` when another watcher moved the cursor meanwhile
   */
  async rewind(network: string, from: Cursor, to: BlockPoint): Promise<number | null> {
    const orphaned = await this.dataSource.transaction(async (tx) => {
      const values = [network, from.height, from.hash, to.height, to.hash, to.time];
      if ((await run(tx, sql.REWIND_CURSOR, values)).length === 0) return null;
      await run(tx, sql.DROP_BLOCKS, [network, to.height]);
      await run(tx, DROP_BASELINES, [network, to.height]);
      const [row] = await run<{ orphaned: number }>(tx, sql.ORPHAN, [network, to.height]);
      return row?.orphaned ?? 0;
    });
    if (orphaned !== null) this.changed.next();
    return orphaned;
  }

  /** Missing transfers whose transaction could be replaced by another one of the same sender and nonce. */
  async orphans(network: string): Promise<Orphan[]> {
    type Row = { id: string; txid: string; sender: string; nonce: string };
    const rows = await run<Row>(this.dataSource, sql.ORPHANS, [network]);
    return rows.map((row) => ({ ...row, nonce: Number(row.nonce) }));
  }

  /** @param at where the cursor stood when it was found that they can never come back */
  async markReplaced(network: string, at: Cursor, ids: readonly string[]): Promise<void> {
    await run(this.dataSource, sql.REPLACE, [ids, network, at.height, at.hash]);
    this.changed.next();
  }
}

interface MovedRow {
  synced_before: Date;
  synced: boolean;
  unsynced_ms: number;
  deeper: boolean;
}

async function advanceIn(tx: EntityManager, step: Advance): Promise<Advanced | null> {
  const { network, from, to, tips, blocks } = step;
  const [moved] = await run<MovedRow>(tx, sql.MOVE_CURSOR, [
    ...[network, from.height, from.hash, to.height, to.hash, to.time],
    ...[tips.nodeHeight, tips.safeHeight, tips.finalizedHeight, step.maxTipAgeS],
  ]);
  if (!moved) return null;
  if (blocks.length > 0) await keepBlocks(tx, network, blocks);
  if (step.transfers.length > 0) await writeTransfers(tx, step);
  await step.alongside?.(tx);
  if (moved.synced && moved.unsynced_ms > step.blindAfterMs) {
    await run(tx, sql.ADD_BLIND_TIME, [network, moved.synced_before]);
  }
  if (blocks.length === 0 && !moved.deeper) return { synced: moved.synced, orphans: false };
  const done = Math.min(tips.finalizedHeight, to.height - step.countedBlocks);
  const [deepened] = await run<{ orphans: boolean }>(tx, sql.DEEPEN, [network, done]);
  return { synced: moved.synced, orphans: deepened?.orphans ?? false };
}

async function keepBlocks(tx: EntityManager, network: string, blocks: readonly BlockPoint[]): Promise<void> {
  const heights = blocks.map((block) => block.height);
  const hashes = blocks.map((block) => block.hash);
  await run(tx, sql.KEEP_BLOCKS, [network, heights, hashes, (heights.at(-1) ?? 0) - KEPT_BLOCKS]);
}

async function writeTransfers(tx: EntityManager, { network, family, transfers }: Advance): Promise<void> {
  const column = <T>(read: (transfer: FoundTransfer) => T): T[] => transfers.map(read);
  await run(tx, sql.WRITE_TRANSFERS, [
    network,
    family,
    column(() => newId('tr')),
    column((transfer) => transfer.txid),
    column((transfer) => transfer.output),
    column((transfer) => transfer.asset),
    column((transfer) => transfer.address),
    column((transfer) => transfer.subject),
    column((transfer) => transfer.amountAtoms.toString()),
    column((transfer) => transfer.block.height),
    column((transfer) => transfer.block.hash),
    column((transfer) => transfer.block.time),
    column((transfer) => transfer.sender),
    column((transfer) => transfer.nonce),
  ]);
  await run(tx, sql.DROP_MOVED_LOGS, [network, column((transfer) => transfer.txid)]);
}
