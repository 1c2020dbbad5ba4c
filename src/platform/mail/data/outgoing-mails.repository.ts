import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** Longer than a try can take (each of an SMTP exchange's steps has 10 s), or two instances would send one mail. */
const LEASE_S = 180;
/**
 * To one mailbox in 24 hours, whatever it is about: more is a flood that somebody makes us send. Lower, and the news of a
 * busy day of a merchant's owner would be left out.
 */
export const MAILS_PER_MAILBOX = 40;

export interface ClaimedMail {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly sealedText: string;
  readonly attempts: number;
  readonly leaseToken: string;
}

const ADD = `
  INSERT INTO outgoing_mail (id, recipient, subject, sealed_text) SELECT $1, $2, $3, $4
  WHERE (SELECT count(*) FROM outgoing_mail
         WHERE recipient = $2 AND created_at > clock_timestamp() - interval '1 day') < ${MAILS_PER_MAILBOX}
  RETURNING 1`;

const CLAIM = `
  UPDATE outgoing_mail SET attempts = attempts + 1, lease_token = gen_random_uuid(),
                           next_attempt_at = clock_timestamp() + interval '${LEASE_S} seconds'
  WHERE id = (SELECT id FROM outgoing_mail WHERE sealed_text IS NOT NULL AND next_attempt_at <= clock_timestamp()
              ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id, recipient, subject, sealed_text AS "sealedText", attempts, lease_token AS "leaseToken"`;

const RETRY_IN = `
  UPDATE outgoing_mail SET lease_token = NULL, next_attempt_at = clock_timestamp() + make_interval(secs => $3::float8)
  WHERE id = $1 AND lease_token = $2`;

/** That it was sent is true whoever holds the lease by now. */
const END = `
  UPDATE outgoing_mail SET sealed_text = NULL, sent_at = CASE WHEN $3 THEN clock_timestamp() END
  WHERE id = $1 AND ($3 OR lease_token = $2)`;

export type NewMail = Pick<ClaimedMail, 'id' | 'recipient' | 'subject' | 'sealedText'>;

/** The rows of mail to people. */
@Injectable()
export class OutgoingMails {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns `false` where the mailbox has had enough for a day */
  async insert(tx: EntityManager, { id, recipient, subject, sealedText }: NewMail): Promise<boolean> {
    return (await tx.query<unknown[]>(ADD, [id, recipient, subject, sealedText])).length > 0;
  }

  /** The one that is due for longest, leased to the caller. */
  async claim(): Promise<ClaimedMail | null> {
    const [[mail]] = await this.dataSource.query<[ClaimedMail[], number]>(CLAIM);
    return mail ?? null;
  }

  async retryIn(waitMs: number, { id, leaseToken }: ClaimedMail): Promise<void> {
    await this.dataSource.query(RETRY_IN, [id, leaseToken, waitMs / 1_000]);
  }

  /** Sent, or given up: its text goes. */
  async end({ id, leaseToken }: ClaimedMail, isSent: boolean): Promise<void> {
    await this.dataSource.query(END, [id, leaseToken, isSent]);
  }
}
