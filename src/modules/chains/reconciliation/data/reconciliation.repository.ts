import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Family } from '../../../../config/config.types.js';
import { rowReader, type Stored } from '../../../../database/columns.js';
import { run } from '../../../../database/statement.js';
import { only } from '../../../../kernel/lookups.js';
import { MOST_WATCHED } from '../../data/balances/balances.repository.js';
import { fenced, type Term, write, writeInPieces } from '../../data/fenced.statement.js';
import type { FoundCollection } from '../../data/ledger.types.js';
import { arraysOf, COLLECTED } from '../../data/movement-columns.sql.js';
import { supersedeBy } from '../../data/rivals.statement.js';
import type { Movement } from '../compare.js';
import type {
  AgreedBlock,
  Difference,
  Found,
  Part,
  Position,
  ReconciliationStanding,
} from '../reconciliation.types.js';
import * as sql from './reconciliation.sql.js';

/** An issued address; `at` is its place in the order of issue, as the database writes it. */
export interface IssuedRow {
  readonly address: string;
  readonly at: string;
  readonly issuedAtMs: number;
}

export interface RecordedMovement extends Movement {
  readonly output: string;
  /** In a block from before its address was issued. */
  readonly isBeforeIssue: boolean;
}

/** What deposit addresses without keys paid out: nothing else can move what lies there (ADR 49). */
export interface PaidOut {
  readonly forwarders: ReadonlySet<string>;
  /** Below zero. */
  readonly movements: readonly PaidOutMovement[];
}

export interface PaidOutMovement extends Movement {
  /** A comparison has not found it on the chain. */
  readonly isMissing: boolean;
}

/** A key with the indexes near its next one that were never issued. */
export interface UnissuedIndexes {
  readonly id: string;
  readonly xpub: string;
  readonly nextIndex: number;
  readonly indexes: readonly number[];
}

export interface Claim {
  /** Of the round under way; `null` between two rounds. */
  readonly position: Position;
  /** Up to where an earlier round by blocks has come; `null` where the next one is to read them all. */
  readonly comparedTo: number | null;
  readonly isRecentDue: boolean;
  readonly isRoundDue: boolean;
}

/** So many behind the next index: what a failover may have lost, and a skip passed over. */
const INDEXES_BEHIND = 1_000;
/** So many ahead of it: what a wallet's owner, or a database that was lost, may have given out. */
const INDEXES_AHEAD = 100;

type RecordedRow = Omit<Stored<RecordedMovement>, 'height'> & { readonly height: string };
const toRecorded = rowReader<RecordedMovement>({ atoms: true });

type DifferenceRow = Omit<Difference, 'height' | 'key'> & {
  readonly height: string;
  readonly keyId: string | null;
  readonly keyIndex: number | null;
};
const withAtoms = rowReader<DifferenceRow>({ chainAtoms: true, recordedAtoms: true });

/** What the comparison reads, and the little that it writes. */
@Injectable()
export class ReconciliationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** How far the watcher is; `null` before it has begun. */
  async tip(network: string): Promise<{ height: number; finalizedHeight: number } | null> {
    const [row] = await run<{ height: string; finalizedHeight: string }>(this.dataSource, sql.TIP, [network]);
    return row ? { height: Number(row.height), finalizedHeight: Number(row.finalizedHeight) } : null;
  }

  /** In the order of issue. @param sinceHours only the newest */
  async addresses(
    family: Family,
    after: { readonly at: string; readonly address: string } | null,
    limit: number,
    sinceHours: number | null = null,
  ): Promise<IssuedRow[]> {
    const values = [family, after?.at ?? null, after?.address ?? null, limit, sinceHours];
    return run<IssuedRow>(this.dataSource, sql.ADDRESSES, values);
  }

  async recorded(network: string, family: Family, addresses: readonly string[]): Promise<RecordedMovement[]> {
    if (addresses.length === 0) return [];
    const rows = await run<RecordedRow>(this.dataSource, sql.RECORDED, [network, family, addresses]);
    return rows.map(toMovement);
  }

  async paidOut(network: string, family: Family, addresses: readonly string[]): Promise<PaidOut> {
    type Row = { address: string; missing: boolean } & Record<
      'asset' | 'txid' | 'height' | 'atoms',
      string | null
    >;
    const rows = await run<Row>(this.dataSource, sql.PAID_OUT, [network, family, addresses]);
    return {
      forwarders: new Set(rows.map(({ address }) => address)),
      movements: rows.flatMap(({ address, asset, txid, height, atoms, missing: isMissing }) =>
        asset === null || txid === null || atoms === null
          ? []
          : [{ address, asset, txid, height: Number(height), atoms: -BigInt(atoms), isMissing }],
      ),
    };
  }

  async recordedIn(network: string, fromHeight: number, toHeight: number): Promise<RecordedMovement[]> {
    const rows = await run<RecordedRow>(this.dataSource, sql.RECORDED_IN, [network, fromHeight, toHeight]);
    return rows.map(toMovement);
  }

  /** @returns how many addresses of a family there are, and when the first of them was issued */
  async issued(family: Family): Promise<{ addresses: number; sinceMs: number | null }> {
    return only(
      await run<{ addresses: number; sinceMs: number | null }>(this.dataSource, sql.ISSUED, [family]),
    );
  }

  async unissued(family: Family, afterKey: string, keys: number): Promise<UnissuedIndexes[]> {
    const values = [family, INDEXES_AHEAD, afterKey, INDEXES_BEHIND, keys];
    return run<UnissuedIndexes>(this.dataSource, sql.UNISSUED, values);
  }

  /** Those among them that somebody is paid out to, or has called his own: they are never issued. */
  async named(family: Family, addresses: readonly string[]): Promise<ReadonlySet<string>> {
    if (addresses.length === 0) return new Set();
    const rows = await run<{ address: string }>(this.dataSource, sql.NAMED, [family, addresses]);
    return new Set(rows.map(({ address }) => address));
  }

  /**
   * Whether the ledger must be told of coin that these addresses hold beyond what is recorded: not where the watcher
   * still compares the balance and has yet to credit it by itself. Those that it has no room for it leaves to us; what
   * they hold is appended by a later round, once no look of the watcher is under way that knew them.
   * @param height of the block that is compared
   * @param beyond what they hold there beyond all that came
   * @throws LeaseLost
   */
  async mayAppendCoin(
    term: Term,
    height: number,
    beyond: ReadonlyMap<string, bigint>,
  ): Promise<ReadonlySet<string>> {
    if (beyond.size === 0) return new Set();
    type Row = { address: string; watched: boolean; ours: boolean; atoms: string | null };
    const values = [term.network, 'evm', MOST_WATCHED, [...beyond.keys()], height];
    const rows = await run<Row>(this.dataSource, sql.COIN_FINDERS, values);
    const left = rows.filter(({ watched, ours }) => !watched && !ours).map(({ address }) => address);
    if (left.length > 0) {
      const taken = [term.network, 'evm', MOST_WATCHED, left];
      await fenced(this.dataSource, term, (tx) => write(tx, sql.LEAVE_COIN, taken));
    }
    const may = rows.filter(
      ({ address, ours, atoms }) => ours || (atoms !== null && BigInt(atoms) >= (beyond.get(address) ?? 0n)),
    );
    return new Set(may.map(({ address }) => address));
  }

  /**
   * @param at the block that was compared
   * @returns how many movements the ledger did not have
   * @throws LeaseLost
   */
  async append(
    term: Term,
    family: Family,
    coin: string | null,
    at: AgreedBlock,
    { transfers, spends }: Pick<Found, 'transfers' | 'spends'>,
  ): Promise<number> {
    if (transfers.length === 0) return 0;
    // Not while blocks are being given up of which a baseline would be written.
    const highest = Math.max(at.height, ...transfers.map(({ block }) => block.height));
    const { network } = term;
    const appended = transfers.map((transfer) => ({
      ...transfer,
      spends: spends.get(transfer.txid) ?? null,
    }));
    return fenced(this.dataSource, term, async (tx) => {
      type Row = { address: string; asset: string; atoms: string; txid: string };
      const written: Row[] = await writeInPieces(tx, sql.APPEND, appended, (some) => [
        network,
        family,
        highest,
        at.height,
        at.hash,
        ...arraysOf(sql.APPENDED, some),
      ]);
      const txids = written.map(({ txid }) => txid);
      // As after the watcher's own: what cannot be mined beside it counts no more.
      const addresses = written.map(({ address }) => address);
      if (txids.length > 0) await supersedeBy(tx, network, family, txids, addresses);
      const coins = coin === null ? [] : written.filter(({ asset }) => asset === coin);
      if (coins.length > 0) {
        const sums = [coins.map(({ address }) => address), coins.map(({ atoms }) => atoms)];
        await write(tx, sql.LOWER_BASELINES, [network, ...sums, at.height, at.hash]);
      }
      return written.length;
    });
  }

  /** @param at the block that was compared. @returns how many collections the ledger did not have. @throws LeaseLost */
  async appendCollections(
    term: Term,
    at: AgreedBlock,
    collections: readonly FoundCollection[],
  ): Promise<number> {
    if (collections.length === 0) return 0;
    const highest = Math.max(...collections.map(({ block }) => block.height));
    const valuesOf = (some: readonly FoundCollection[]) => [
      term.network,
      highest,
      at.height,
      at.hash,
      ...arraysOf(COLLECTED, some),
    ];
    const written = await fenced(this.dataSource, term, (tx) =>
      writeInPieces(tx, sql.APPEND_COLLECTIONS, collections, valuesOf),
    );
    return written.length;
  }

  /** An address that has been used is never issued: the key goes on behind it. @throws LeaseLost */
  async passIndex(term: Term, keyId: string, index: number): Promise<void> {
    await fenced(this.dataSource, term, (tx) => write(tx, sql.PASS_INDEX, [keyId, index]));
  }

  /** @returns `false` where the block that was compared has been given up since. @throws LeaseLost */
  async settle(term: Term, at: AgreedBlock, { covered, differences }: Part): Promise<boolean> {
    const column = <T>(read: (difference: Difference) => T): T[] => differences.map(read);
    const values = [
      term.network,
      covered.addresses,
      covered.heights?.from ?? null,
      covered.heights?.to ?? null,
      column(({ address }) => address),
      column(({ asset }) => asset),
      column(({ kind }) => kind),
      column(({ chainAtoms }) => chainAtoms.toString()),
      column(({ recordedAtoms }) => recordedAtoms.toString()),
      column(({ height }) => height),
      column(({ txids }) => txids.join(',')),
      column(({ key }) => key?.id ?? null),
      column(({ key }) => key?.index ?? null),
      at.height,
      at.hash,
      covered.balances?.addresses ?? null,
      covered.balances?.asset ?? null,
    ];
    const settled = await fenced(this.dataSource, term, (tx) => write(tx, sql.SETTLE, values));
    return settled.length > 0;
  }

  /** Those that were found first. */
  async differences(network: string, most: number): Promise<Difference[]> {
    const rows = await run<Stored<DifferenceRow>>(this.dataSource, sql.DIFFERENCES, [network, most]);
    return rows.map(withAtoms).map(({ height, keyId, keyIndex, ...difference }) => ({
      ...difference,
      height: Number(height),
      key: keyId === null || keyIndex === null ? null : { id: keyId, index: keyIndex },
    }));
  }

  /** Takes a network for some time, or keeps it; `null` while another instance has it. */
  async claim(
    network: string,
    term: string,
    periods: { readonly leaseS: number; readonly recentEveryS: number; readonly roundEveryS: number },
  ): Promise<Claim | null> {
    type Row = Omit<Claim, 'comparedTo'> & { readonly comparedTo: string | null };
    const values = [network, term, periods.leaseS, periods.recentEveryS, periods.roundEveryS];
    const [row] = await run<Row>(this.dataSource, sql.CLAIM, values);
    if (!row) return null;
    return { ...row, comparedTo: row.comparedTo === null ? null : Number(row.comparedTo) };
  }

  /** Before a part of the claim. @returns `false` where it was lost, or the block was given up meanwhile */
  async comparing(network: string, term: string, at: AgreedBlock): Promise<boolean> {
    return (await run(this.dataSource, sql.COMPARING, [network, term, at.height, at.hash])).length > 0;
  }

  /** Only of the claim: whoever has lost that changes nothing. So do `recentDone` and the end of a round. */
  async progress(
    network: string,
    term: string,
    part: Part,
    { isFirst, isWhole, requests }: Record<'isFirst' | 'isWhole', boolean> & { readonly requests: number },
  ): Promise<void> {
    const incomparable = Object.values(part.incomparable).reduce((sum, count) => sum + count, 0);
    await run(this.dataSource, sql.PROGRESS, [
      network,
      term,
      part.next === null ? null : JSON.stringify(part.next),
      isFirst,
      part.compared,
      incomparable,
      requests,
      isFirst && isWhole,
    ]);
    if (part.next === null)
      await run(this.dataSource, sql.FINISHED, [network, term, part.comparedTo ?? null]);
  }

  async recentDone(network: string, term: string): Promise<void> {
    await run(this.dataSource, sql.RECENT_DONE, [network, term]);
  }

  /** By network that is watched, when its last round ended, or since when it is watched. */
  async comparedUntil(networks: readonly string[]): Promise<ReadonlyMap<string, Date>> {
    const rows = await this.dataSource.query<{ network: string; at: Date }[]>(
      `SELECT c.network, coalesce(r.finished_at, c.watched_since) AS at
         FROM chain_cursor c LEFT JOIN reconciliation r USING (network) WHERE c.network = ANY ($1)`,
      [networks],
    );
    return new Map(rows.map(({ network, at }) => [network, at]));
  }

  async standings(): Promise<ReconciliationStanding[]> {
    type Counts = 'lastCompared' | 'lastIncomparable' | 'compared' | 'requests';
    type Row = Omit<ReconciliationStanding, Counts> &
      Record<'lastCompared' | 'lastIncomparable', string | null> &
      Record<'compared' | 'requests', string>;
    const number = (text: string | null) => (text === null ? null : Number(text));
    return (await run<Row>(this.dataSource, sql.STANDINGS, [])).map((row) => ({
      ...row,
      lastCompared: number(row.lastCompared),
      lastIncomparable: number(row.lastIncomparable),
      compared: Number(row.compared),
      requests: Number(row.requests),
    }));
  }
}

function toMovement({ height, ...row }: RecordedRow): RecordedMovement {
  return toRecorded({ ...row, height: Number(height) });
}
