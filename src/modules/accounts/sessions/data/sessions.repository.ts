import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Not } from 'typeorm';
import { DATABASE_NOW } from '../../../../database/clock.js';
import { run, statement } from '../../../../database/statement.js';
import type { Language } from '../../../../kernel/text/staff-languages.js';
import type { CountedBy, Membership, Proven, SessionView } from '../../accounts.types.js';
import { CREDENTIALS } from '../../data/credentials.sql.js';
import { INVITATION_STANDS, IS_OPEN_LINK, IS_OPEN_TO_ITS_PEOPLE } from '../../data/standing.sql.js';
import { DEVICE_DAYS } from './known-devices.repository.js';
import { SessionEntity } from './session.entity.js';

/** ASVS 5, 7.3: a machine that was left alone, and a cookie that was taken, are worth nothing for long. */
const IDLE = `interval '30 minutes'`;
const ABSOLUTE = `interval '12 hours'`;
/** How long a password or passkey counts for what a thief would want first: keys, secrets, wallets, addresses. */
const FRESH = `interval '10 minutes'`;
/** Between password and second factor. */
export const HALF_WAY = `interval '10 minutes'`;
/** "Last seen" is exact to a minute: a write for every page would be for nobody. */
const SEEN_EVERY = `interval '1 minute'`;

/** How long "later" counts. */
const FACTOR_ASKED_EVERY = `interval '7 days'`;

const ALIVE = `s.last_seen_at > clock_timestamp() - ${IDLE} AND s.created_at > clock_timestamp() - ${ABSOLUTE}`;

/** For retention: SQL over `session`. What has ended opens nothing, whether or not its row is gone. */
export const SESSION_ENDED = `id IN (SELECT s.id FROM session s WHERE NOT (${ALIVE}))`;

export interface SessionRow {
  readonly sessionId: string;
  readonly personId: string;
  readonly email: string;
  readonly isOperator: boolean;
  readonly language: Language | null;
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
export interface HalfWay extends Proven {
  readonly hasTotp: boolean;
}

/** A sealed secret that awaits its first code. */
export interface PendingTotp {
  readonly secret: string;
  readonly now: Date;
}

const FIND = statement(
  'accounts-find-session',
  `SELECT s.id AS "sessionId", p.id AS "personId", p.email, p.is_operator AS "isOperator", p.language,
          p.totp_enabled_at IS NOT NULL AS "hasTotp", p.email_proven_at IS NOT NULL AS "isEmailProven",
          s.merchant_id AS "merchantId",
          (SELECT ms.merchant_id FROM membership ms JOIN merchant m ON m.id = ms.merchant_id
           WHERE ms.person_id = p.id AND ${IS_OPEN_TO_ITS_PEOPLE} ORDER BY ms.created_at, ms.merchant_id LIMIT 1) AS "firstMerchantId",
          coalesce(p.factor_declined_at > clock_timestamp() - ${FACTOR_ASKED_EVERY}, false) AS "hasDeclinedFactor",
          CASE WHEN p.email_proven_at IS NULL THEN 0 ELSE
            (SELECT count(*)::integer FROM one_time_link l WHERE l.email = p.email AND l.kind = 'invitation'
               AND ${IS_OPEN_LINK} AND ${INVITATION_STANDS}) END AS "openInvitations",
          EXISTS (SELECT 1 FROM passkey k WHERE k.person_id = p.id) AS "hasPasskey",
          s.proven_at > clock_timestamp() - ${FRESH} AS "isFresh",
          s.last_seen_at < clock_timestamp() - ${SEEN_EVERY} AS "isStale",
          coalesce((SELECT json_agg(json_build_object('merchantId', m.id, 'merchantName', m.name, 'role', ms.role)
                                    ORDER BY m.name, m.id)
                    FROM membership ms JOIN merchant m ON m.id = ms.merchant_id
                    WHERE ms.person_id = p.id AND ${IS_OPEN_TO_ITS_PEOPLE}), '[]') AS memberships
   FROM session s JOIN person p ON p.id = s.person_id
   WHERE s.token_hash = $1 AND s.stage = 'full' AND ${ALIVE}`,
);

const FIND_HALF_WAY = `
  SELECT p.id AS "personId", p.email, ${CREDENTIALS} AS credentials, p.totp_enabled_at IS NOT NULL AS "hasTotp"
  FROM session s JOIN person p ON p.id = s.person_id
  WHERE s.token_hash = $1 AND s.stage = 'second-factor' AND s.created_at > clock_timestamp() - ${HALF_WAY}`;

/** $1: of a session, $2: of a known browser. */
const COUNTED_BY = `
  SELECT 'session' AS kind, s.id, s.person_id AS "personId" FROM session s
  WHERE s.token_hash = $1 AND s.stage = 'full' AND ${ALIVE}
  UNION ALL
  SELECT 'device', encode(d.token_hash, 'hex'), CASE WHEN count(*) = 1 THEN min(d.person_id) END FROM known_device d
  WHERE d.token_hash = $2 AND d.last_seen_at > clock_timestamp() - make_interval(days => ${DEVICE_DAYS})
  GROUP BY d.token_hash
  LIMIT 1`;

const LOOKED_AT_LAST = '(SELECT last_merchant_id FROM person WHERE id = :personId)';

const LOOK_AT = `
  WITH looks AS (UPDATE session SET merchant_id = $2 WHERE id = $1)
  UPDATE person SET last_merchant_id = $2 WHERE id = $3`;

const LOOK_AWAY = `
  WITH looks AS (UPDATE session SET merchant_id = NULL WHERE person_id = $1 AND merchant_id = $2)
  UPDATE person SET last_merchant_id = NULL WHERE id = $1 AND last_merchant_id = $2`;

const PENDING_TOTP = `
  SELECT pending_totp_secret AS secret, clock_timestamp() AS now FROM session
  WHERE id = $1 AND pending_totp_secret IS NOT NULL`;

const LIST = `
  SELECT id, address AS ip, user_agent AS "userAgent", created_at AS "createdAt", last_seen_at AS "lastSeenAt"
  FROM session s WHERE person_id = $1 AND stage = 'full' AND ${ALIVE} ORDER BY last_seen_at DESC, id`;

export type NewSession = Pick<
  SessionEntity,
  'id' | 'tokenHash' | 'personId' | 'stage' | 'address' | 'userAgent'
>;

/** The rows of sessions. */
@Injectable()
export class SessionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** It looks at what its person looked at last: what they look at elsewhere from now on does not move it. */
  async insert(tx: EntityManager, session: NewSession): Promise<void> {
    await tx
      .createQueryBuilder()
      .insert()
      .into(SessionEntity)
      .values({ ...session, merchantId: () => LOOKED_AT_LAST })
      .setParameter('personId', session.personId)
      .updateEntity(false)
      .execute();
  }

  /** `null` for what is unknown, ended, or has not passed its second factor. */
  async find(tokenHash: Buffer): Promise<SessionRow | null> {
    const [row] = await run<SessionRow>(this.dataSource, FIND, [tokenHash]);
    return row ?? null;
  }

  async findHalfWay(tokenHash: Buffer): Promise<HalfWay | null> {
    const [row] = await this.dataSource.query<HalfWay[]>(FIND_HALF_WAY, [tokenHash]);
    return row ?? null;
  }

  async countedBy(session: Buffer | null, device: Buffer | null): Promise<CountedBy | null> {
    const [row] = await this.dataSource.query<CountedBy[]>(COUNTED_BY, [session, device]);
    return row ?? null;
  }

  list(personId: string): Promise<SessionView[]> {
    return this.dataSource.query<SessionView[]>(LIST, [personId]);
  }

  async seen(id: string): Promise<void> {
    await this.dataSource.manager.update(SessionEntity, { id }, { lastSeenAt: DATABASE_NOW });
  }

  async proven(tx: EntityManager, id: string): Promise<void> {
    await tx.update(SessionEntity, { id }, { provenAt: DATABASE_NOW });
  }

  /** Whoever has seen the cookie before may have begun what awaits a code there. @returns `false` for one that has ended */
  async setToken(tx: EntityManager, id: string, tokenHash: Buffer): Promise<boolean> {
    const changed = { tokenHash, pendingTotpSecret: null };
    return (await tx.update(SessionEntity, { id }, changed)).affected === 1;
  }

  async pendingTotp(id: string, tx: EntityManager = this.dataSource.manager): Promise<PendingTotp | null> {
    const [row] = await tx.query<PendingTotp[]>(PENDING_TOTP, [id]);
    return row ?? null;
  }

  async setPendingTotp(tx: EntityManager, id: string, pendingTotpSecret: string | null): Promise<void> {
    await tx.update(SessionEntity, { id }, { pendingTotpSecret });
  }

  /** Now, and at the next sign-in. */
  async lookAt(id: string, merchantId: string, personId: string): Promise<void> {
    await this.dataSource.query(LOOK_AT, [id, merchantId, personId]);
  }

  /** @returns `false` for one that has ended before */
  async close(tokenHash: Buffer, tx: EntityManager = this.dataSource.manager): Promise<boolean> {
    return (await tx.delete(SessionEntity, { tokenHash })).affected === 1;
  }

  /** @returns whether it was one of this person's */
  async remove(tx: EntityManager, id: string, personId: string): Promise<boolean> {
    return (await tx.delete(SessionEntity, { id, personId })).affected === 1;
  }

  /** No session of theirs looks at the merchant any more, nor will the next one, should they ever belong to it again. */
  async lookAway(tx: EntityManager, personId: string, merchantId: string): Promise<void> {
    await tx.query(LOOK_AWAY, [personId, merchantId]);
  }

  /** Under the person's lock, or one that begins just now would stay. @returns whether there was any but the one to keep */
  async removeAll(tx: EntityManager, personId: string, keep: string | null): Promise<boolean> {
    const which = keep === null ? { personId } : { personId, id: Not(keep) };
    return ((await tx.delete(SessionEntity, which)).affected ?? 0) > 0;
  }

  exists(tx: EntityManager, id: string): Promise<boolean> {
    return tx.existsBy(SessionEntity, { id });
  }
}
