import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Family } from '../../../../config/config.types.js';
import { newId } from '../../../../kernel/ids.js';
import { walletKeyInUse } from '../../chains.errors.js';
import type { ExtendedKey } from '../../domain/addresses/extended-key.js';
import type { ExtendedKeyView } from '../../wallets.types.js';
import { ExtendedKeyEntity } from './extended-key.entity.js';
import { WalletEntity } from './wallet.entity.js';

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

/** Extended keys: whose they are, and which of their indexes were used. */
@Injectable()
export class ExtendedKeysRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The merchant's keys, in the order in which they came. */
  list(merchantId: string): Promise<ExtendedKeyView[]> {
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

  /** @param networks keys that have yet to be searched on one of these */
  unsearched(family: Family, networks: readonly string[]): Promise<UnsearchedKey[]> {
    return this.dataSource.query(UNSEARCHED, [family, networks]);
  }

  /** @returns the networks that have yet to be searched */
  searched(keyId: string, searched: Searched): Promise<readonly string[]> {
    return this.dataSource.transaction((tx) => this.noteSearched(tx, keyId, [], searched));
  }

  /** @param network only keys that it is paid to, with all of their networks */
  inUse(merchantId: string | null, network: string | null): Promise<KeyInUse[]> {
    return this.dataSource.query(KEYS_IN_USE, [merchantId, network]);
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

  /** The unique index on the material decides whose key it is, so that two merchants at once cannot both win. */
  async claim(
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

  /** @param added networks that the key has to be searched on besides */
  async noteSearched(
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
}
