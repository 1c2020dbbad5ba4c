import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { hashToken, isToken, newToken } from '../../domain/token.js';
import type { Guessed } from '../domain/guess-limits.js';

/** A browser that was not used for this long is a stranger's again. */
export const DEVICE_DAYS = 180;
const IS_KNOWN = `last_seen_at > clock_timestamp() - make_interval(days => ${DEVICE_DAYS})`;
/** The oldest go: each may guess on its own, so that an account must not have any number of them. */
const MAX_DEVICES = 20;

/** A browser of a person's, as it was before they used it now. */
export interface Remembered {
  /** What its cookie is to hold. */
  readonly token: string;
  /** They are a stranger here, for codes at least. */
  readonly isNew: boolean;
  /** They are none in another browser. */
  readonly hasOthers: boolean;
}

/** The browsers in which a person has signed in or taken a link of their own, by a long-lived cookie that opens nothing. */
@Injectable()
export class KnownDevicesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Whether the person of this address is known in this browser where guesses of this are counted. The same work for an unknown
   * address.
   */
  async isKnown(
    guessed: Guessed,
    email: string,
    token: string | null,
    tx: EntityManager = this.dataSource.manager,
  ): Promise<boolean> {
    const [known] = await tx.query<unknown[]>(
      `SELECT FROM known_device d JOIN person p ON p.id = d.person_id
       WHERE p.email = $1 AND d.token_hash = $2 AND d.${IS_KNOWN} AND ($3::text = 'password' OR NOT d.awaits_second_step)`,
      [email, hashToken(token ?? ''), guessed],
    );
    return known !== undefined;
  }

  /**
   * Who is known in this browser for passwords: the person of this address, or anybody. The same work for an unknown address.
   * @returns their ids, no more than two of them: whether it is one person's alone is all that is asked
   */
  async knownIn(email: string | null, token: string): Promise<string[]> {
    const people = await this.dataSource.query<{ id: string }[]>(
      `SELECT d.person_id AS id FROM known_device d JOIN person p ON p.id = d.person_id
       WHERE ($1::text IS NULL OR p.email = $1) AND d.token_hash = $2 AND d.${IS_KNOWN} LIMIT 2`,
      [email, hashToken(token)],
    );
    return people.map(({ id }) => id);
  }

  /**
   * After a sign-in, or a link that says who holds it. A browser that several people use keeps its one cookie.
   * @param awaitsSecondStep one thing of two was shown: it is known for passwords, and a stranger's for codes
   */
  async remember(
    tx: EntityManager,
    personId: string,
    token: string | null,
    awaitsSecondStep: boolean,
  ): Promise<Remembered> {
    const found = await tx.query<Record<'isThis' | 'isTheirs' | 'isKnown' | 'awaits', boolean>[]>(
      `SELECT token_hash = $2 AS "isThis", person_id = $1 AS "isTheirs", ${IS_KNOWN} AS "isKnown",
              awaits_second_step AS awaits
       FROM known_device WHERE person_id = $1 OR token_hash = $2`,
      [personId, hashToken(token ?? '')],
    );
    const isOurs = token !== null && isToken(token) && found.some(({ isThis }) => isThis);
    const kept = isOurs ? token : newToken();
    await tx.query(
      `INSERT INTO known_device (person_id, token_hash, awaits_second_step) VALUES ($1, $2, $3)
       ON CONFLICT (person_id, token_hash) DO UPDATE
         SET last_seen_at = clock_timestamp(), awaits_second_step = excluded.awaits_second_step`,
      [personId, hashToken(kept), awaitsSecondStep],
    );
    await tx.query(
      `DELETE FROM known_device WHERE person_id = $1 AND token_hash NOT IN (
         SELECT token_hash FROM known_device WHERE person_id = $1 ORDER BY last_seen_at DESC LIMIT ${MAX_DEVICES})`,
      [personId],
    );
    const known = found.filter(({ isTheirs, isKnown }) => isTheirs && isKnown);
    return {
      token: kept,
      isNew: !known.some(({ isThis, awaits }) => isThis && !awaits),
      hasOthers: known.some(({ isThis }) => !isThis),
    };
  }

  /** Whoever uses another browser is a stranger again. @param keep what one browser's cookie holds; `null`: none is kept */
  async forget(tx: EntityManager, personId: string, keep: string | null): Promise<void> {
    await tx.query('DELETE FROM known_device WHERE person_id = $1 AND token_hash <> $2', [
      personId,
      hashToken(keep ?? ''),
    ]);
  }
}
