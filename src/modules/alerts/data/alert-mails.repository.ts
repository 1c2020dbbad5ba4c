import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { newId } from '../../../kernel/ids.js';
import { olderThan } from '../../../platform/retention/data/older-than.sql.js';
import type { AlertReader } from '../alerts.types.js';
import { mailboxOf } from '../domain/mailbox.js';
import { LEASE_S, type Notice } from './notices.repository.js';

/** Mails in an hour to a mailbox that is proved, of each merchant that it belongs to; as many to each of the operator's. */
const PROVED_PER_HOUR = 20;
/** To a mailbox that nobody has proved, of all merchants together: each of them can name it. */
const UNPROVED_PER_HOUR = 5;
/** Of one merchant to all such mailboxes, so that it cannot name others each time: what ten of them get. */
const UNPROVED_OF_MERCHANT_PER_HOUR = 50;

/** Mails that nothing counts any more, for it looks an hour back. */
export const COUNTED_LONG_AGO = `${olderThan('counted_at', 1)} AND next_attempt_at IS NULL`;

/** Alerts that one address is told of together. */
export interface CollectedMail {
  readonly id: string;
  readonly address: string;
  readonly merchantId: string | null;
  /** As many. */
  readonly standsFor: number;
  /** When the first of them was left to it. */
  readonly createdAt: Date;
  /** Of this try, from 1. */
  readonly attempts: number;
  readonly leaseToken: string;
}

/** Each looks at what the others have counted. */
const LOCK = `SELECT pg_advisory_xact_lock(hashtext('alert-mail'))`;

/** $1: the mailbox. $2: whether it is proved. $3: whose alerts. */
const OF_BUDGET = `mailbox = $1 AND is_proved = $2::boolean AND (NOT $2::boolean OR merchant_id IS NOT DISTINCT FROM $3::text)`;
const OF_MERCHANT = `NOT $2::boolean AND NOT is_proved AND merchant_id = $3::text`;

/** The last mail but so many that was counted in this hour; no row where there is room. */
const lastBut = (most: string, where: string) => `
  (SELECT counted_at FROM alert_mail WHERE ${where} AND counted_at > clock_timestamp() - interval '1 hour'
   ORDER BY counted_at DESC OFFSET ${most} - 1 LIMIT 1)`;

/** When there is room for one more mail; NULL when there is. */
const FULL_UNTIL = `(
  SELECT max(counted_at) + interval '1 hour' FROM (
    ${lastBut(`CASE WHEN $2::boolean THEN ${PROVED_PER_HOUR} ELSE ${UNPROVED_PER_HOUR} END`, OF_BUDGET)}
    UNION ALL ${lastBut(String(UNPROVED_OF_MERCHANT_PER_HOUR), OF_MERCHANT)}
  ) AS last)`;

const KNOWN = `
  SELECT collected, ARRAY(SELECT address FROM alert_mail WHERE alert_id = $1) AS counted
  FROM alert_notice WHERE alert_id = $1 AND channel = 'mail'`;

/** Behind what waits for the same room: else whoever asks often would get it each time. */
const COUNT = `
  INSERT INTO alert_mail (mailbox, is_proved, merchant_id, address, id, alert_id, counted_at)
  SELECT $1, $2::boolean, $3::text, $4, $5, $6, clock_timestamp()
  WHERE ${FULL_UNTIL} IS NULL AND NOT EXISTS (
    SELECT FROM alert_mail WHERE ${OF_BUDGET} AND counted_at IS NULL AND next_attempt_at <= clock_timestamp())
  RETURNING 1`;

const COLLECT = `
  INSERT INTO alert_mail AS m (mailbox, is_proved, merchant_id, address, id, next_attempt_at)
  SELECT $1, $2::boolean, $3::text, $4, $5, coalesce(${FULL_UNTIL}, clock_timestamp())
  ON CONFLICT (address, is_proved, coalesce(merchant_id, '')) WHERE counted_at IS NULL
  DO UPDATE SET stands_for = m.stands_for + 1`;

const NOTE_COLLECTED = `
  UPDATE alert_notice SET collected = array_append(collected, $2) WHERE alert_id = $1 AND channel = 'mail'`;

const NEXT = `
  SELECT mailbox, is_proved AS "isProved", merchant_id AS "merchantId", id FROM alert_mail
  WHERE next_attempt_at <= clock_timestamp() ORDER BY next_attempt_at, created_at LIMIT 1`;

/** Counted at its first try. */
const CLAIM = `
  UPDATE alert_mail SET attempts = attempts + 1, lease_token = gen_random_uuid(),
                        counted_at = coalesce(counted_at, clock_timestamp()),
                        next_attempt_at = clock_timestamp() + interval '${LEASE_S} seconds'
  WHERE id = $4 AND (counted_at IS NOT NULL OR ${FULL_UNTIL} IS NULL)
  RETURNING id, address, merchant_id AS "merchantId", stands_for AS "standsFor", created_at AS "createdAt", attempts,
            lease_token AS "leaseToken"`;

const POSTPONE = `
  UPDATE alert_mail SET next_attempt_at = coalesce(${FULL_UNTIL}, clock_timestamp()) WHERE id = $4`;

const RETRY_IN = `
  UPDATE alert_mail SET lease_token = NULL, next_attempt_at = clock_timestamp() + make_interval(secs => $3::float8)
  WHERE id = $1 AND lease_token = $2`;

/** That it was sent is true whoever holds the lease by now. */
const SENT = 'UPDATE alert_mail SET lease_token = NULL, next_attempt_at = NULL WHERE id = $1';

const DROP = 'DELETE FROM alert_mail WHERE id = $1 AND lease_token = $2';

type Budget = readonly [mailbox: string, isProved: boolean, merchantId: string | null];

interface Next {
  readonly mailbox: string;
  readonly isProved: boolean;
  readonly merchantId: string | null;
  readonly id: string;
}

/** What each mailbox is mailed of alerts, counted over all instances (ADR 85). */
@Injectable()
export class AlertMailsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Counts a mail to each that has room for it, and leaves the alert to a later mail to each other. A later try of the same
   * notice is answered with the same, but for readers who have come since.
   * @returns who is mailed now; nobody where the notice has gone meanwhile
   */
  async admit(alert: Notice['alert'], readers: readonly AlertReader[]): Promise<Set<string>> {
    return this.dataSource.transaction(async (tx) => {
      await tx.query(LOCK);
      const [known] = await tx.query<{ collected: string[]; counted: string[] }[]>(KNOWN, [alert.id]);
      const admitted = new Set<string>();
      if (!known) return admitted;
      for (const reader of readers) {
        const { email } = reader;
        if (known.collected.includes(email)) continue;
        if (known.counted.includes(email) || (await this.count(tx, alert, reader))) admitted.add(email);
        else await this.collect(tx, alert, reader);
      }
      return admitted;
    });
  }

  /** Those whose server wants the mail later are told of the alert by a mail of their own, which is tried until it is taken. */
  async leaveToLater(alert: Notice['alert'], readers: readonly AlertReader[]): Promise<void> {
    if (readers.length === 0) return;
    await this.dataSource.transaction(async (tx) => {
      await tx.query(LOCK);
      for (const reader of readers) await this.collect(tx, alert, reader);
    });
  }

  /** The longest due of what waits where there is room, counted and leased to the caller. */
  async claimCollected(): Promise<CollectedMail | null> {
    return this.dataSource.transaction(async (tx) => {
      await tx.query(LOCK);
      for (;;) {
        const [next] = await tx.query<Next[]>(NEXT);
        if (!next) return null;
        const values = [next.mailbox, next.isProved, next.merchantId, next.id];
        const [[mail]] = await tx.query<[CollectedMail[], number]>(CLAIM, values);
        if (mail) return mail;
        await tx.query(POSTPONE, values);
      }
    });
  }

  async retryIn(waitMs: number, { id, leaseToken }: CollectedMail): Promise<void> {
    await this.dataSource.query(RETRY_IN, [id, leaseToken, waitMs / 1_000]);
  }

  async sent({ id }: CollectedMail): Promise<void> {
    await this.dataSource.query(SENT, [id]);
  }

  async drop({ id, leaseToken }: CollectedMail): Promise<void> {
    await this.dataSource.query(DROP, [id, leaseToken]);
  }

  private async count(tx: EntityManager, alert: Notice['alert'], reader: AlertReader): Promise<boolean> {
    const values = [...budgetOf(alert, reader), reader.email, newId('eml'), alert.id];
    return (await tx.query<unknown[]>(COUNT, values)).length > 0;
  }

  private async collect(tx: EntityManager, alert: Notice['alert'], reader: AlertReader): Promise<void> {
    await tx.query(COLLECT, [...budgetOf(alert, reader), reader.email, newId('eml')]);
    await tx.query(NOTE_COLLECTED, [alert.id, reader.email]);
  }
}

/** The operator's addresses are of the configuration: nobody else can name them for the operator's alerts. */
function budgetOf({ merchantId }: Notice['alert'], { email, isProved }: AlertReader): Budget {
  return [mailboxOf(email), isProved || merchantId === null, merchantId];
}
