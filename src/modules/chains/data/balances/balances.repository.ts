import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Family } from '../../../../config/config.types.js';
import { rowReader, type Stored } from '../../../../database/columns.js';
import { type On, run } from '../../../../database/statement.js';
import { entryAt, only } from '../../../../kernel/lookups.js';
import { type FencedTx, write } from '../fenced.statement.js';
import type { Cursor } from '../ledger.types.js';
import * as sql from './balances.sql.js';

/** The addresses whose balances a step compares: six requests. Those beyond are left to the comparison with the chain. */
export const MOST_WATCHED = 4_200;

/** An address whose balance is compared, as of the cursor. */
export interface WatchedBalance {
  readonly address: string;
  readonly subject: string;
  /** It holds no key: what it pays out, it says in a log (ADR 50). */
  readonly isForwarder: boolean;
  /** The sum of the transfers that stand in blocks. */
  readonly knownAtoms: bigint;
  /** Of these, up to the reference. */
  readonly knownBeforeAtoms: bigint;
  /** What else its balance consists of, negative once its owner has spent; `null` before the first look. */
  readonly unexplainedAtoms: bigint | null;
  /** The block since which it consists of that. */
  readonly baselineHeight: number | null;
  /** Before the first look: the last block in which nobody can have been told of it, where that is still remembered. */
  readonly reference: Cursor | null;
}

export interface Watched {
  readonly balances: readonly WatchedBalance[];
  /** At least so many more were issued lately. */
  readonly unwatched: number;
}

/** What is recorded of an address' coin in a block. */
export interface CoinMovement {
  readonly address: string;
  readonly height: number;
  readonly atoms: bigint;
}

/** That an address sent a transaction in a block. */
export type Spending = Omit<CoinMovement, 'atoms'>;

/** A block that was passed. */
export interface PassedBlock {
  readonly hash: string;
  /** Watched addresses that sent in it, where nobody told what they held. */
  readonly spenders: readonly string[];
}

/** How much of the coin's movements we can see. */
export interface CoinSight {
  /** The last block that was looked into for them, where it is not the newest; else `null`. */
  readonly blindFrom: number | null;
  readonly unwatched: number;
}

/** From a block on, so much of an address' balance is explained by no transfer. */
export interface Baseline {
  readonly address: string;
  readonly height: number;
  readonly hash: string;
  readonly unexplainedAtoms: bigint;
}

type BalanceRow = Omit<WatchedBalance, 'baselineHeight' | 'reference'> &
  Readonly<Record<'baselineHeight' | 'referenceHeight' | 'referenceHash', string | null>>;
const toBalance = rowReader<BalanceRow>({ knownAtoms: true, knownBeforeAtoms: true, unexplainedAtoms: true });

/** With no address, and `unwatched` alone, where none is watched. */
type WatchedRow = (Stored<BalanceRow> | { readonly address: null }) & { readonly unwatched: number };

/** What the EVM watcher writes beside the ledger, in the transaction that moves the cursor. */
@Injectable()
export class BalancesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Those with an open window first; as many queries for ten addresses as for ten thousand. */
  async watched(network: string, family: Family, most: number): Promise<Watched> {
    const rows = await this.dataSource.query<WatchedRow[]>(sql.WATCHED_BALANCES, [network, family, most]);
    const { unwatched } = entryAt(rows, 0);
    const watched = rows.flatMap(({ unwatched: _, ...row }) =>
      row.address === null ? [] : [toBalance(row)],
    );
    const balances = watched.map(({ baselineHeight, referenceHeight, referenceHash, ...balance }) => ({
      ...balance,
      baselineHeight: baselineHeight === null ? null : Number(baselineHeight),
      reference: referenceHash === null ? null : { height: Number(referenceHeight), hash: referenceHash },
    }));
    return { balances, unwatched };
  }

  /** Those of these that are no longer among those, or never were. */
  async unwatched(
    on: On,
    network: string,
    family: Family,
    addresses: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const values = [network, family, MOST_WATCHED, addresses];
    const rows = await run<{ address: string }>(on, sql.UNWATCHED, values);
    return new Set(rows.map(({ address }) => address));
  }

  /** Whether a merchant that issues another address has more of them open than the watcher has room for. */
  async isCrowdedOut(on: On, network: string, merchantId: string): Promise<boolean> {
    const values = [merchantId, network, MOST_WATCHED];
    return only(await run<{ out: boolean }>(on, sql.IS_CROWDED_OUT, values)).out;
  }

  /** The blocks above a height that were passed and are still remembered, by height. */
  async passed(network: string, above: number): Promise<ReadonlyMap<number, PassedBlock>> {
    const rows = await run<PassedBlock & { height: string }>(this.dataSource, sql.PASSED, [network, above]);
    return new Map(rows.map(({ height, ...block }) => [Number(height), block]));
  }

  /** What is recorded in blocks above a height, of these. */
  async movements(
    network: string,
    of: readonly Pick<WatchedBalance, 'address' | 'subject'>[],
    above: number,
  ): Promise<CoinMovement[]> {
    const rows = await run<{ address: string; height: string; atoms: string }>(
      this.dataSource,
      sql.COIN_MOVEMENTS,
      [network, of.map(({ subject }) => subject), of.map(({ address }) => address), above],
    );
    return rows.map(({ address, height, atoms }) => ({
      address,
      height: Number(height),
      atoms: BigInt(atoms),
    }));
  }

  /** @param sight where it has changed */
  async write(
    tx: FencedTx,
    network: string,
    baselines: readonly Baseline[],
    sight: CoinSight | null,
    spendings: readonly Spending[],
  ): Promise<void> {
    if (sight) await write(tx, sql.OBSERVE_SIGHT, [network, sight.blindFrom, sight.unwatched]);
    if (spendings.length > 0) {
      const [heights, addresses] = [
        spendings.map(({ height }) => height),
        spendings.map((one) => one.address),
      ];
      await write(tx, sql.REMEMBER_SPENDERS, [network, heights, addresses]);
    }
    if (baselines.length === 0) return;
    await write(tx, sql.WRITE_BASELINES, [
      network,
      baselines.map(({ address }) => address),
      baselines.map(({ height }) => height),
      baselines.map(({ hash }) => hash),
      baselines.map(({ unexplainedAtoms }) => unexplainedAtoms.toString()),
    ]);
  }
}
