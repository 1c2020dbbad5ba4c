import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { HALF_WAY } from './sessions.repository.js';

/** Nobody who began in time is still at it. */
const OVER = `${HALF_WAY} + interval '1 minute'`;

/** Whoever begins again in the same browser has no more time for it, or could put off for ever that the person is told. */
const ADD = `
  WITH former AS (DELETE FROM unfinished_sign_in WHERE token_hash = $4::bytea AND person_id = $2 RETURNING since)
  INSERT INTO unfinished_sign_in (token_hash, person_id, address, since)
  SELECT $1::bytea, $2::text, $3::text, coalesce((SELECT since FROM former), clock_timestamp())`;

const TAKE = `
  DELETE FROM unfinished_sign_in u USING person p
  WHERE p.id = u.person_id AND u.token_hash = (
    SELECT token_hash FROM unfinished_sign_in WHERE since < clock_timestamp() - (${OVER})
    ORDER BY since LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING u.person_id AS "personId", p.email, u.address AS ip`;

export interface UnfinishedSignIn {
  readonly personId: string;
  readonly email: string;
  /** From where the password came. */
  readonly ip: string;
}

/** Right passwords whose second step has not followed. */
@Injectable()
export class UnfinishedSignInsRepository {
  /** @param former of the session that this browser had; `null` for none */
  async add(
    tx: EntityManager,
    { personId, ip }: Pick<UnfinishedSignIn, 'personId' | 'ip'>,
    tokenHash: Buffer,
    former: Buffer | null,
  ): Promise<void> {
    await tx.query(ADD, [tokenHash, personId, ip, former]);
  }

  /** Nothing where the session is not this person's: whoever signs in as somebody else has not finished it. */
  async end(tx: EntityManager, tokenHash: Buffer, personId: string): Promise<void> {
    await tx.query('DELETE FROM unfinished_sign_in WHERE token_hash = $1 AND person_id = $2', [
      tokenHash,
      personId,
    ]);
  }

  async endAll(tx: EntityManager, personId: string): Promise<void> {
    await tx.query('DELETE FROM unfinished_sign_in WHERE person_id = $1', [personId]);
  }

  /** The oldest that nobody can finish any more, gone with the commit of `tx`. */
  async take(tx: EntityManager): Promise<UnfinishedSignIn | null> {
    const [[one]] = await tx.query<[UnfinishedSignIn[], number]>(TAKE);
    return one ?? null;
  }
}
