import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Address, getAddress } from 'viem';
import type { Depth, Family } from '../../../../config/config.types.js';
import { type On, run, statement } from '../../../../database/statement.js';
import { noKeyWallet, noWallet, walletUnsearched } from '../../chains.errors.js';
import { issuingLockSql } from '../../data/addresses/issuers.sql.js';
import type { ExtendedKey } from '../../domain/addresses/extended-key.js';
import type { KeyWallet, Wallet } from '../../wallets.types.js';
import { ExtendedKeyEntity } from './extended-key.entity.js';
import { ExtendedKeysRepository, type Searched } from './extended-keys.repository.js';

/**
 * Until the transaction ends no cursor of the family goes back (`AWAIT_ISSUING`), and nobody names an address of it: what
 * `ISSUE` reads stays passed, and stays nobody's.
 */
const TAKE = statement(
  'chains-take',
  `WITH taken AS (
     UPDATE extended_key k SET next_index = next_index + 1
       FROM wallet w
      WHERE w.merchant_id = $1 AND w.network = $2 AND k.id = w.extended_key_id
     RETURNING k.id, k.family, k.xpub, k.next_index - 1 AS index, k.unsearched
   )
   SELECT id, family, xpub, index, unsearched, NULL AS destination
     FROM taken, pg_advisory_xact_lock_shared(${issuingLockSql('taken.family')}) AS locked
   UNION ALL
   SELECT d.id, NULL, NULL, NULL, NULL, d.address
     FROM wallet w JOIN destination d ON d.id = w.destination_id,
          pg_advisory_xact_lock_shared(${issuingLockSql("'evm'")}) AS locked
    WHERE w.merchant_id = $1 AND w.network = $2`,
);
/** Nothing where somebody has named the address. */
const ISSUE = statement(
  'chains-issue-address',
  `INSERT INTO address (family, address, extended_key_id, derivation_index, destination_id, salt, subject,
                        confirmation_depth, passed)
   SELECT $1::text, $2::text, $3::text, $4::integer, $5::text, $6::text, $7::text, $8::text,
          (SELECT coalesce(jsonb_object_agg(network, height), '{}') FROM chain_cursor)
    WHERE NOT EXISTS (SELECT FROM named_address WHERE family = $1 AND address = $2)
   RETURNING address`,
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
  readonly subject: string;
  readonly confirmationDepth: Depth;
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

/** What merchants are paid to on each network, and the addresses that are issued from it. */
@Injectable()
export class WalletsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly extendedKeys: ExtendedKeysRepository,
  ) {}

  /** Of one merchant, with the index that its key issues next; by network. */
  async list(merchantId: string, on: On = this.dataSource): Promise<Wallet[]> {
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
      const extendedKeyId = await this.extendedKeys.claim(tx, merchantId, key, family);
      const isSame = before?.kind === 'extended-key' && before.extendedKeyId === extendedKeyId;
      await this.extendedKeys.noteSearched(tx, extendedKeyId, isSame ? [] : [network], searched);
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

  async exists(merchantId: string | null, network: string | null): Promise<boolean> {
    const [row] = await this.dataSource.query<[{ exists: boolean }]>(
      `SELECT EXISTS (SELECT FROM wallet WHERE ($1::text IS NULL OR merchant_id = $1)
                                           AND ($2::text IS NULL OR network = $2))`,
      [merchantId, network],
    );
    return row.exists;
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

  /** @returns `false`, and nothing is issued, where somebody has named the address: others know it (ADR 36) */
  async issue(tx: EntityManager, taken: Taken, issued: NewAddress): Promise<boolean> {
    const { family, watchedAddress, salt, subject, confirmationDepth } = issued;
    const from = taken.kind === 'address' ? [null, null, taken.id] : [taken.id, taken.index, null];
    const values = [family, watchedAddress, ...from, salt, subject, String(confirmationDepth)];
    return (await run(tx, ISSUE, values)).length > 0;
  }

  private async one(tx: EntityManager, merchantId: string, network: string): Promise<KeyWallet> {
    const wallet = await this.find(merchantId, network, tx);
    if (!wallet) throw noWallet(network);
    if (wallet.kind === 'address') throw noKeyWallet(network);
    return wallet;
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
