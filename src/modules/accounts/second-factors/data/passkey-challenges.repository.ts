import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Time to find a phone; a challenge that somebody else finds later is worth nothing. */
const LIFETIME = `interval '5 minutes'`;
/** The same, as browsers are told it. */
export const CHALLENGE_LIFETIME_MS = 300_000;

/** What passkeys are to sign: kept from when it is given out until it is answered or too old. */
@Injectable()
export class PasskeyChallengesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param personId who is to make a passkey with it; `null`: to be signed by one that exists */
  async remember(challenge: string, personId: string | null): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO passkey_challenge (hash, person_id, expires_at) VALUES ($1, $2, clock_timestamp() + ${LIFETIME})`,
      [hashOf(challenge), personId],
    );
  }

  /** Before the answer is looked at: whatever comes of it, its challenge is used up. @returns whether it was ours */
  async spend(challenge: string, personId: string | null): Promise<boolean> {
    const [known] = await this.dataSource.query<[unknown[], number]>(
      `DELETE FROM passkey_challenge WHERE hash = $1 AND person_id IS NOT DISTINCT FROM $2
       AND expires_at > clock_timestamp() RETURNING 1`,
      [hashOf(challenge), personId],
    );
    return known.length > 0;
  }
}

function hashOf(challenge: string): Buffer {
  return createHash('sha256').update(challenge).digest();
}
