import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { run, statement } from '../../../database/statement.js';
import { newId } from '../../../kernel/ids.js';
import type { Membership, Origin, SessionView, SignedIn } from '../accounts.types.js';
import { csrfTokenOf, hashToken, isToken, newToken } from '../domain/token.js';

/** ASVS 5, 7.3: a machine that was left alone, and a cookie that was taken, are worth nothing for long. */
const IDLE = `interval '30 minutes'`;
const ABSOLUTE = `interval '12 hours'`;
/** How long a password or passkey counts for what a thief would want first: keys, secrets, wallets, addresses. */
const FRESH = `interval '10 minutes'`;
/** Between password and second factor. */
const HALF_WAY = `interval '10 minutes'`;
/** "Last seen" is exact to a minute: a write for every page would be for nobody. */
const SEEN_EVERY = `interval '1 minute'`;

/** How long "later" counts. */
const FACTOR_ASKED_EVERY = `interval '7 days'`;

const MAX_USER_AGENT_CHARS = 300;

const ALIVE = `s.last_seen_at > clock_timestamp() - ${IDLE} AND s.created_at > clock_timestamp() - ${ABSOLUTE}`;

/** For retention: SQL over `session`. What has ended opens nothing, whether or not its row is gone. */
export const SESSION_ENDED = `id IN (SELECT s.id FROM session s WHERE NOT (${ALIVE}))`;

interface SessionRow {
  readonly sessionId: string;
  readonly personId: string;
  readonly email: string;
  readonly isOperator: boolean;
  readonly hasTotp: boolean;
  readonly hasPasskey: boolean;
  readonly isFresh: boolean;
  readonly isStale: boolean;
  readonly isEmailProven: boolean;
  readonly openInvitations: number;
  readonly hasDeclinedFactor: boolean;
  readonly merchantId: string | null;
  /** The one that they have belonged to for longest: nobody moves them by inviting them. */
  readonly firstMerchantId: string | null;
  readonly memberships: readonly Membership[];
}

/** Somebody who has shown the password, and has not shown the second factor. */
export interface HalfWay {
  readonly personId: string;
  readonly email: string;
  readonly hasTotp: boolean;
}

const FIND = statement(
  'accounts-find-session',
  `SELECT s.id AS "sessionId", p.id AS "personId", p.email, p.is_operator AS "isOperator",
          p.totp_enabled_at IS NOT NULL AS "hasTotp", p.email_proven_at IS NOT NULL AS "isEmailProven",
          coalesce(s.merchant_id, p.last_merchant_id) AS "merchantId",
          (SELECT ms.merchant_id FROM membership ms JOIN merchant m ON m.id = ms.merchant_id
           WHERE ms.person_id = p.id AND m.status <> 'closed' ORDER BY ms.created_at, ms.merchant_id LIMIT 1) AS "firstMerchantId",
          coalesce(p.factor_declined_at > clock_timestamp() - ${FACTOR_ASKED_EVERY}, false) AS "hasDeclinedFactor",
          CASE WHEN p.email_proven_at IS NULL THEN 0 ELSE
            (SELECT count(*)::integer FROM one_time_link l WHERE l.email = p.email AND l.kind = 'invitation'
               AND l.used_at IS NULL AND l.expires_at > clock_timestamp()) END AS "openInvitations",
          EXISTS (SELECT 1 FROM passkey k WHERE k.person_id = p.id) AS "hasPasskey",
          s.proven_at > clock_timestamp() - ${FRESH} AS "isFresh",
          s.last_seen_at < clock_timestamp() - ${SEEN_EVERY} AS "isStale",
          coalesce((SELECT json_agg(json_build_object('merchantId', m.id, 'merchantName', m.name, 'role', ms.role)
                                    ORDER BY m.name, m.id)
                    FROM membership ms JOIN merchant m ON m.id = ms.merchant_id
                    WHERE ms.person_id = p.id AND m.status <> 'closed'), '[]') AS memberships
   FROM session s JOIN person p ON p.id = s.person_id
   WHERE s.token_hash = $1 AND s.stage = 'full' AND ${ALIVE}`,
);

/** Who is signed in where. Asked of the database at each request: revoking and roles take effect at once. */
@Injectable()
export class SessionsService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Begins a session with an id of its own, whatever the browser brought along (no session fixation).
   * @param stage `second-factor` while only the password is known: such a session opens nothing else
   * @returns what the cookie holds; only its hash is stored
   */
  async open(
    tx: EntityManager,
    personId: string,
    origin: Origin,
    stage: 'second-factor' | 'full',
  ): Promise<string> {
    const token = newToken();
    await tx.query(
      `INSERT INTO session (id, token_hash, person_id, stage, address, user_agent) VALUES ($1, $2, $3, $4, $5, $6)`,
      [
        newId('ses'),
        hashToken(token),
        personId,
        stage,
        origin.address,
        origin.userAgent.slice(0, MAX_USER_AGENT_CHARS),
      ],
    );
    return token;
  }

  /** `null` for what is unknown, ended, or has not passed its second factor. */
  async find(token: string): Promise<SignedIn | null> {
    if (!isToken(token)) return null;
    const [row] = await run<SessionRow>(this.dataSource, FIND, [hashToken(token)]);
    if (!row) return null;
    if (row.isStale) {
      await this.dataSource.query('UPDATE session SET last_seen_at = clock_timestamp() WHERE id = $1', [
        row.sessionId,
      ]);
    }
    const { isStale: _, merchantId, firstMerchantId, memberships, ...who } = row;
    const belongsTo = (id: string | null) => memberships.find((one) => one.merchantId === id);
    const membership = belongsTo(merchantId) ?? belongsTo(firstMerchantId) ?? null;
    return { ...who, memberships, membership, csrfToken: csrfTokenOf(token) };
  }

  /** Whose second factor is awaited. */
  async findHalfWay(token: string): Promise<HalfWay | null> {
    if (!isToken(token)) return null;
    const [row] = await this.dataSource.query<HalfWay[]>(
      `SELECT p.id AS "personId", p.email, p.totp_enabled_at IS NOT NULL AS "hasTotp" FROM session s JOIN person p ON p.id = s.person_id
       WHERE s.token_hash = $1 AND s.stage = 'second-factor' AND s.created_at > clock_timestamp() - ${HALF_WAY}`,
      [hashToken(token)],
    );
    return row ?? null;
  }

  /** Ends the session of this cookie. Ending one that has ended changes nothing. */
  async close(token: string): Promise<void> {
    if (isToken(token))
      await this.dataSource.query('DELETE FROM session WHERE token_hash = $1', [hashToken(token)]);
  }

  /** The person has just proved again who they are. @returns what the cookie is to hold from now on */
  async prove(tx: EntityManager, sessionId: string): Promise<string> {
    await tx.query('UPDATE session SET proven_at = clock_timestamp() WHERE id = $1', [sessionId]);
    return this.renew(tx, sessionId);
  }

  /** Whoever saw the cookie before has nothing any more. @returns what the cookie is to hold from now on */
  async renew(tx: EntityManager, sessionId: string): Promise<string> {
    const token = newToken();
    await tx.query('UPDATE session SET token_hash = $2 WHERE id = $1', [sessionId, hashToken(token)]);
    return token;
  }

  /** Looks at another of one's merchants, now and at the next sign-in. @returns whether the person belongs to it */
  async lookAt(who: SignedIn, merchantId: string): Promise<boolean> {
    if (!who.memberships.some((one) => one.merchantId === merchantId)) return false;
    await this.dataSource.query(
      `WITH looks AS (UPDATE session SET merchant_id = $2 WHERE id = $1)
       UPDATE person SET last_merchant_id = $2 WHERE id = $3`,
      [who.sessionId, merchantId, who.personId],
    );
    return true;
  }

  async list(personId: string): Promise<SessionView[]> {
    return this.dataSource.query<SessionView[]>(
      `SELECT id, address, user_agent AS "userAgent", created_at AS "createdAt", last_seen_at AS "lastSeenAt"
       FROM session s WHERE person_id = $1 AND stage = 'full' AND ${ALIVE} ORDER BY last_seen_at DESC, id`,
      [personId],
    );
  }

  /** @returns whether it was one of this person's */
  async revoke(tx: EntityManager, personId: string, sessionId: string): Promise<boolean> {
    const [gone] = await tx.query<[unknown[], number]>(
      'DELETE FROM session WHERE id = $1 AND person_id = $2 RETURNING id',
      [sessionId, personId],
    );
    return gone.length > 0;
  }

  /** The membership is gone already: no session looks at the merchant any more, nor stays for somebody without a place. */
  async leaveMerchant(tx: EntityManager, personId: string, merchantId: string): Promise<void> {
    await tx.query('UPDATE session SET merchant_id = NULL WHERE person_id = $1 AND merchant_id = $2', [
      personId,
      merchantId,
    ]);
    await tx.query(
      `DELETE FROM session WHERE person_id = $1 AND NOT EXISTS (SELECT FROM membership WHERE person_id = $1)
         AND NOT (SELECT is_operator FROM person WHERE id = $1)`,
      [personId],
    );
  }

  /** After a change of what one signs in with, nobody who knew the old stays signed in. @param keep a session's id */
  async revokeAll(tx: EntityManager, personId: string, keep: string | null): Promise<void> {
    await tx.query('DELETE FROM session WHERE person_id = $1 AND id IS DISTINCT FROM $2', [personId, keep]);
  }
}
