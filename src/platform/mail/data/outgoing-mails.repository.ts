import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Language } from '../../../kernel/text/staff-languages.js';

/** Longer than a try can take (each of an SMTP exchange's steps has 10 s), or two instances would send one mail. */
const LEASE_S = 180;
/** Links to one mailbox in 24 hours: strangers can ask for them, and more is a flood that somebody makes us send. */
const LINKS_PER_MAILBOX = 40;
/** Of one topic to one mailbox in 24 hours; more of it is collected, so that no news is left out and nobody is flooded. */
const NEWS_AT_ONCE = 5;
/** A collected mail waits this long for more of its topic. */
const COLLECTED_FOR = `interval '1 hour'`;

export interface ClaimedMail {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly sealedText: string;
  readonly language: Language;
  readonly attempts: number;
  readonly leaseToken: string;
  /** As many of its topic, of which it tells the latest. */
  readonly standsFor: number;
  readonly createdAt: Date;
}

const ADD_LINK = `
  INSERT INTO outgoing_mail (id, recipient, subject, sealed_text, language) SELECT $1, $2, $3, $4, $5
  WHERE (SELECT count(*) FROM outgoing_mail
         WHERE recipient = $2 AND about IS NULL AND created_at > clock_timestamp() - interval '1 day') < ${LINKS_PER_MAILBOX}
  RETURNING 1`;

/** Only a mail that collects has not been tried and is not due. One that another transaction adds to is left to it. */
const COLLECTING = `
  SELECT id FROM outgoing_mail
  WHERE recipient = $1 AND about = $2 AND sealed_text IS NOT NULL AND attempts = 0 AND next_attempt_at > clock_timestamp()
  LIMIT 1 FOR UPDATE SKIP LOCKED`;

const COLLECT = `
  UPDATE outgoing_mail SET subject = $2, sealed_text = $3, language = $4, stands_for = stands_for + 1 WHERE id = $1`;

const ADD_NEWS = `
  INSERT INTO outgoing_mail (id, recipient, subject, sealed_text, about, language, next_attempt_at)
  SELECT $1, $2, $3, $4, $5, $6, clock_timestamp() + CASE
    WHEN (SELECT count(*) FROM outgoing_mail
          WHERE recipient = $2 AND about = $5 AND created_at > clock_timestamp() - interval '1 day') < ${NEWS_AT_ONCE}
    THEN interval '0' ELSE ${COLLECTED_FOR} END`;

const CLAIM = `
  UPDATE outgoing_mail SET attempts = attempts + 1, lease_token = gen_random_uuid(),
                           next_attempt_at = clock_timestamp() + interval '${LEASE_S} seconds'
  WHERE id = (SELECT id FROM outgoing_mail WHERE sealed_text IS NOT NULL AND next_attempt_at <= clock_timestamp()
              ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id, recipient, subject, sealed_text AS "sealedText", language, attempts, lease_token AS "leaseToken",
            stands_for AS "standsFor", created_at AS "createdAt"`;

const RETRY_IN = `
  UPDATE outgoing_mail SET lease_token = NULL, next_attempt_at = clock_timestamp() + make_interval(secs => $3::float8)
  WHERE id = $1 AND lease_token = $2`;

/** That it was sent is true whoever holds the lease by now. */
const END = `
  UPDATE outgoing_mail SET sealed_text = NULL, sent_at = CASE WHEN $3 THEN clock_timestamp() END
  WHERE id = $1 AND ($3 OR lease_token = $2)`;

export type NewMail = Pick<ClaimedMail, 'id' | 'recipient' | 'subject' | 'sealedText' | 'language'>;

/** The rows of mail to people. */
@Injectable()
export class OutgoingMailsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns `false` where the mailbox has had enough for a day */
  async insertLink(
    tx: EntityManager,
    { id, recipient, subject, sealedText, language }: NewMail,
  ): Promise<boolean> {
    return (await tx.query<unknown[]>(ADD_LINK, [id, recipient, subject, sealedText, language])).length > 0;
  }

  /** Due at once, or to collect more of its topic. */
  async insertNews(
    tx: EntityManager,
    { id, recipient, subject, sealedText, language }: NewMail,
    about: string,
  ): Promise<void> {
    await tx.query(ADD_NEWS, [id, recipient, subject, sealedText, about, language]);
  }

  /** @returns the id of the mail that collects news of this topic, locked; `null` where none does */
  async lockCollecting(tx: EntityManager, recipient: string, about: string): Promise<string | null> {
    const [mail] = await tx.query<{ id: string }[]>(COLLECTING, [recipient, about]);
    return mail?.id ?? null;
  }

  /** One more of its topic, which is the latest. */
  async collect(tx: EntityManager, { id, subject, sealedText, language }: NewMail): Promise<void> {
    await tx.query(COLLECT, [id, subject, sealedText, language]);
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
