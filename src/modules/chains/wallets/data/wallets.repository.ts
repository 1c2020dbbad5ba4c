import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { getAddress, type Address } from 'viem';
import type { Family } from '../../../../config/config.types.js';
import { run, statement } from '../../../../database/statement.js';
import { newId } from '../../../../kernel/ids.js';
import { noKeyWallet, noWallet, walletKeyInUse, walletUnsearched } from '../../chains.errors.js';
import type { ExtendedKeyView, KeyWallet, Wallet } from '../../chains.types.js';
import type { ExtendedKey } from '../../domain/addresses/extended-key.js';
import { ExtendedKeyEntity } from '../../data/entities/extended-key.entity.js';
import { WalletEntity } from '../../data/entities/wallet.entity.js';

const TAKE = statement(
  'chains-take',
  `WITH taken AS (
     UPDATE extended_key k SET next_index = next_index + 1
       FROM wallet w
      WHERE w.merchant_id = $1 AND w.network = $2 AND k.id = w.extended_key_id
     RETURNING k.id, k.family, k.xpub, k.next_index - 1 AS index, k.unsearched
   )
   SELECT id, family, xpub, index, unsearched, NULL AS destination FROM taken
   UNION ALL
   SELECT d.id, NULL, NULL, NULL, NULL, d.address
     FROM wallet w JOIN destination d ON d.id = w.destination_id WHERE w.merchant_id = $1 AND w.network = $2`,
);
const ISSUE = statement(
  'chains-issue-address',
  `INSERT INTO address (family, address, extended_key_id, derivation_index, destination_id, salt, subject, passed)
   VALUES ($1, $2, $3, $4, $5, $6, $7, (SELECT coalesce(jsonb_object_agg(network, height), '{}') FROM chain_cursor))`,
);

const WALLETS = statement(
  'chains-wallets',
  `SELECT w.merchant_id AS "merchantId", w.network, w.changes, k.id AS "extendedKeyId", k.next_index AS "nextIndex",
          w.network <> ALL (k.unsearched) AS "isSearched", d.id AS "destinationId", d.address AS destination
     FROM wallet w LEFT JOIN extended_key k ON k.id = w.extended_key_id LEFT JOIN destination d ON d.id = w.destination_id
    WHERE w.merchant_id = $1 ORDER BY w.network`,
);

/** The same again is no change. $3 or $4 is null. */
const PUT = `
  INSERT INTO wallet AS w (merchant_id, network, extended_key_id, destination_id) VALUES ($1, $2, $3, $4)
  ON CONFLICT (merchant_id, network) DO UPDATE
     SET extended_key_id = excluded.extended_key_id, destination_id = excluded.destination_id, changes = w.changes + 1
   WHERE (w.extended_key_id, w.destination_id) IS DISTINCT FROM (excluded.extended_key_id, excluded.destination_id)`;

const KEYS = `
  SELECT k.id, k.family, left(k.xpub, 8) || '…' || right(k.xpub, 6) AS hint, k.next_index AS "nextIndex",
         k.created_at AS "createdAt",
         ARRAY (SELECT w.network FROM wallet w WHERE w.extended_key_id = k.id ORDER BY w.network) AS networks,
         k.unsearched
  FROM extended_key k WHERE k.merchant_id = $1 ORDER BY k.created_at, k.id`;

/** What lies before a key that has issued nothing yet is its owner's, whatever arrives there. */
const BEGIN_BEHIND = `
  UPDATE extended_key k SET next_index = $2::int,
         first_index = CASE WHEN EXISTS (SELECT FROM address a WHERE a.extended_key_id = k.id) THEN first_index ELSE $2 END
  WHERE k.id = $1 AND k.next_index < $2`;

const KEYS_IN_USE = `
  SELECT k.id, k.merchant_id AS "merchantId", k.family, k.xpub, k.first_index AS "firstIndex",
         k.next_index AS "nextIndex", array_agg(w.network ORDER BY w.network) AS networks
  FROM extended_key k JOIN wallet w ON w.extended_key_id = k.id
  WHERE ($1::text IS NULL OR k.merchant_id = $1)
  GROUP BY k.id HAVING $2::text IS NULL OR $2 = ANY (array_agg(w.network))
  ORDER BY k.merchant_id, k.id`;

/** $2: of these networks. Who waits longest is asked first. */
const UNSEARCHED = `
  SELECT id, family, xpub, next_index AS "nextIndex", unsearched FROM extended_key
  WHERE family = $1 AND unsearched <> '{}' AND unsearched && $2 ORDER BY created_at, id`;

/** What is written with a change, in its transaction. */
export type RecordWallet<Before extends Wallet | null, After extends Wallet> = (
  tx: EntityManager,
  before: Before,
  after: After,
) => Promise<void>;

/** What the next address of a wallet comes from. */
export type Taken =
  | {
      readonly kind: 'extended-key';
      readonly id: string;
      readonly family: Family;
      readonly xpub: string;
      readonly index: number;
    }
  | { readonly kind: 'address'; readonly id: string; readonly destination: Address };

type TakenRow =
  | {
      id: string;
      family: Family;
      xpub: string;
      index: number;
      unsearched: readonly string[];
      destination: null;
    }
  | { id: string; destination: Address };

/** What is written of an address besides whom it was issued to. */
export interface NewAddress {
  readonly family: Family;
  readonly watchedAddress: string;
  /** Of a destination's. */
  readonly salt: string | null;
}

interface WalletRow {
  readonly merchantId: string;
  readonly network: string;
  readonly changes: number;
  readonly extendedKeyId: string | null;
  readonly nextIndex: number;
  readonly isSearched: boolean;
  readonly destinationId: string;
  readonly destination: Address;
}

/** A key of which not every node has said what was used. */
export interface UnsearchedKey {
  readonly id: string;
  readonly family: Family;
  readonly xpub: string;
  readonly nextIndex: number;
  readonly unsearched: readonly string[];
}

/** What a search for used indexes means for its key. */
export interface Searched {
  readonly firstUnused: number;
  /** Networks that have yet to be searched, of those that had to be, where the key issues this index next. */
  readonly unsearched: (before: readonly string[], nextIndex: number) => readonly string[];
}

/** A key that some network is paid to. */
export interface KeyInUse {
  readonly id: string;
  readonly merchantId: string;
  readonly family: Family;
  readonly xpub: string;
  readonly firstIndex: number;
  readonly nextIndex: number;
  readonly networks: readonly string[];
}

/** Extended keys, who uses them where, and the addresses that came out of them. */
@Injectable()
export class WalletsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Of one merchant, with the index that its key issues next; by network. */
  async list(merchantId: string, on: EntityManager = this.dataSource.manager): Promise<Wallet[]> {
    return (await run<WalletRow>(on, WALLETS, [merchantId])).map(toWallet);
  }

  async find(merchantId: string, network: string, on?: EntityManager): Promise<Wallet | null> {
    return (await this.list(merchantId, on)).find((wallet) => wallet.network === network) ?? null;
  }

  /** From now on a network is paid to the one or the other. */
  async put(
    tx: EntityManager,
    merchantId: string,
    network: string,
    to: { readonly extendedKeyId: string } | { readonly destinationId: string },
  ): Promise<void> {
    const [key, destination] = 'extendedKeyId' in to ? [to.extendedKeyId, null] : [null, to.destinationId];
    await tx.query(PUT, [merchantId, network, key, destination]);
  }

  /** The merchant's keys, in the order in which they came. */
  keys(merchantId: string): Promise<ExtendedKeyView[]> {
    return this.dataSource.query(KEYS, [merchantId]);
  }

  /** How a key stands with a merchant that may want it. @throws DomainError `wallet-key-in-use` */
  async standingOf(
    merchantId: string,
    network: string,
    { material: keyMaterial, family }: ExtendedKey,
  ): Promise<{ nextIndex: number; isSet: boolean }> {
    const key = await this.dataSource.manager.findOneBy(ExtendedKeyEntity, { keyMaterial });
    if (!key) return { nextIndex: 0, isSet: false };
    if (key.merchantId !== merchantId || key.family !== family) throw walletKeyInUse();
    const isSet = await this.dataSource.manager.existsBy(WalletEntity, {
      merchantId,
      network,
      extendedKeyId: key.id,
    });
    return { nextIndex: key.nextIndex, isSet };
  }

  /** @param family networks that a key which is new here has to be searched on */
  async set(
    merchantId: string,
    network: string,
    key: ExtendedKey,
    family: readonly string[],
    searched: Searched,
    record: RecordWallet<Wallet | null, KeyWallet>,
  ): Promise<KeyWallet> {
    return this.dataSource.transaction(async (tx) => {
      const before = await this.find(merchantId, network, tx);
      const extendedKeyId = await this.ownKey(tx, merchantId, key, family);
      const isSame = before?.kind === 'extended-key' && before.extendedKeyId === extendedKeyId;
      await this.noteSearched(tx, extendedKeyId, isSame ? [] : [network], searched);
      await this.put(tx, merchantId, network, { extendedKeyId });
      const after = await this.one(tx, merchantId, network);
      await record(tx, before, after);
      return after;
    });
  }

  /** Moves the key's next index to `to`; returns the wallet as it then stands, unmoved if `to` is behind it. */
  async skip(
    merchantId: string,
    network: string,
    to: number,
    record: RecordWallet<KeyWallet, KeyWallet>,
  ): Promise<KeyWallet> {
    return this.dataSource.transaction(async (tx) => {
      const before = await this.one(tx, merchantId, network);
      const { extendedKeyId } = before;
      await tx
        .createQueryBuilder()
        .update(ExtendedKeyEntity)
        .set({ nextIndex: to })
        .where('id = :extendedKeyId AND next_index < :to', { extendedKeyId, to })
        .execute();
      const after = await this.one(tx, merchantId, network);
      await record(tx, before, after);
      return after;
    });
  }

  /** @param networks keys that have yet to be searched on one of these */
  unsearched(family: Family, networks: readonly string[]): Promise<UnsearchedKey[]> {
    return this.dataSource.query(UNSEARCHED, [family, networks]);
  }

  /** @returns the networks that have yet to be searched */
  searched(keyId: string, searched: Searched): Promise<readonly string[]> {
    return this.dataSource.transaction((tx) => this.noteSearched(tx, keyId, [], searched));
  }

  /** @param network only keys that it is paid to, with all of their networks */
  keysInUse(merchantId: string | null, network: string | null): Promise<KeyInUse[]> {
    return this.dataSource.query(KEYS_IN_USE, [merchantId, network]);
  }

  async exists(merchantId: string | null, network: string | null): Promise<boolean> {
    const [row] = await this.dataSource.query<[{ exists: boolean }]>(
      `SELECT EXISTS (SELECT FROM wallet WHERE ($1::text IS NULL OR merchant_id = $1)
                                           AND ($2::text IS NULL OR network = $2))`,
      [merchantId, network],
    );
    return row.exists;
  }

  /** The indexes that a key has issued, from this one on. */
  async issuedFrom(keyId: string, from: number): Promise<number[]> {
    const rows = await this.dataSource.query<{ index: number }[]>(
      'SELECT derivation_index AS index FROM address WHERE extended_key_id = $1 AND derivation_index >= $2',
      [keyId, from],
    );
    return rows.map(({ index }) => index);
  }

  /**
   * Moves a key's next index to `to`, unless it is behind it.
   * @param unsearched networks that could not be asked which indexes were used
   * @param record in the same transaction
   */
  async moveOn<Result>(
    keyId: string,
    to: number,
    unsearched: readonly string[],
    record: (tx: EntityManager, before: number, after: number) => Promise<Result>,
  ): Promise<Result> {
    return this.dataSource.transaction(async (tx) => {
      const [key] = await tx.query<[{ next: number }]>(
        'SELECT next_index AS next FROM extended_key WHERE id = $1 FOR UPDATE',
        [keyId],
      );
      const after = Math.max(key.next, to);
      await tx.update(ExtendedKeyEntity, keyId, { nextIndex: after, unsearched: [...unsearched] });
      return record(tx, key.next, after);
    });
  }

  /** Locks a key until `tx` ends: that, and the unique index, is why no index is ever issued twice. */
  async take(tx: EntityManager, merchantId: string, network: string): Promise<Taken> {
    const [taken] = await run<TakenRow>(tx, TAKE, [merchantId, network]);
    if (!taken) throw noWallet(network);
    if (taken.destination !== null) return { kind: 'address', ...taken };
    const { id, family, xpub, index, unsearched } = taken;
    // An address that others may know must never be given to a buyer (ADR 36); the rollback gives the index back.
    if (unsearched.includes(network)) throw walletUnsearched(network);
    return { kind: 'extended-key', id, family, xpub, index };
  }

  async issue(tx: EntityManager, taken: Taken, issued: NewAddress, subject: string): Promise<void> {
    const from = taken.kind === 'address' ? [null, null, taken.id] : [taken.id, taken.index, null];
    await run(tx, ISSUE, [issued.family, issued.watchedAddress, ...from, issued.salt, subject]);
  }

  /** @param added networks that the key has to be searched on besides */
  private async noteSearched(
    tx: EntityManager,
    keyId: string,
    added: readonly string[],
    { firstUnused, unsearched }: Searched,
  ): Promise<readonly string[]> {
    const key = await tx.findOneOrFail(ExtendedKeyEntity, {
      where: { id: keyId },
      lock: { mode: 'pessimistic_write' },
    });
    const nextIndex = Math.max(key.nextIndex, firstUnused);
    const still = unsearched([...new Set([...key.unsearched, ...added])], nextIndex);
    await tx.update(ExtendedKeyEntity, keyId, { unsearched: [...still] });
    await tx.query(BEGIN_BEHIND, [keyId, firstUnused]);
    return still;
  }

  private async one(tx: EntityManager, merchantId: string, network: string): Promise<KeyWallet> {
    const wallet = await this.find(merchantId, network, tx);
    if (!wallet) throw noWallet(network);
    if (wallet.kind === 'address') throw noKeyWallet(network);
    return wallet;
  }

  /** The unique index on the material decides whose key it is, so that two merchants at once cannot both win. */
  private async ownKey(
    tx: EntityManager,
    merchantId: string,
    key: ExtendedKey,
    unsearched: readonly string[],
  ): Promise<string> {
    const { family, xpub, material: keyMaterial } = key;
    await tx
      .createQueryBuilder()
      .insert()
      .into(ExtendedKeyEntity)
      .values({ id: newId('xk'), merchantId, family, xpub, keyMaterial, unsearched: [...unsearched] })
      .orIgnore()
      .execute();
    const owned = await tx.findOneByOrFail(ExtendedKeyEntity, { keyMaterial });
    if (owned.merchantId !== merchantId || owned.family !== family) throw walletKeyInUse();
    return owned.id;
  }
}

function toWallet({ merchantId, network, changes, ...row }: WalletRow): Wallet {
  const any = { merchantId, network, changes };
  if (row.extendedKeyId === null) {
    const { destinationId, destination } = row;
    return { kind: 'address', ...any, destinationId, destination: getAddress(destination) };
  }
  const { extendedKeyId, nextIndex, isSearched } = row;
  return { kind: 'extended-key', ...any, extendedKeyId, nextIndex, isSearched };
}
