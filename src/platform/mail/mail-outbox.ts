import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Counter } from 'prom-client';
import { DataSource, type EntityManager } from 'typeorm';
import { exponentialWaitMs } from '../../kernel/backoff.js';
import { newId } from '../../kernel/ids.js';
import { ScheduledJob } from '../scheduled-job.js';
import { Metrics } from '../observability/metrics.js';
import { olderThan, Retention } from '../retention.js';
import { SecretBox } from '../secret-box.js';
import { Mailer } from './mailer.js';

/** Nobody reads theirs faster. */
const EVERY_MS = 2_000;
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 3_600_000;
/** With the waits above a day and a few hours; the links in mails do not live much longer. */
const MAX_ATTEMPTS = 32;
/** Longer than a try can take (each of an SMTP exchange's steps has 10 s), or two instances would send one mail. */
const LEASE_S = 180;
/**
 * To one mailbox in 24 hours, whatever it is about: more is a flood that somebody makes us send. Lower, and the news of a
 * busy day of a merchant's owner would be left out.
 */
export const MAILS_PER_MAILBOX = 40;
/** Long enough to answer "was it sent?". */
const KEPT_DAYS = 30;

export interface PersonalMail {
  /** One address, in its normal spelling. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

interface Claimed {
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

/** Mail to one person each, written in the transaction of what it tells of, and sent by a job until a server takes it. */
@Injectable()
export class MailOutbox implements OnModuleInit {
  private readonly logger = new Logger(MailOutbox.name);
  private readonly mails: Counter<'outcome'>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly mailer: Mailer,
    private readonly box: SecretBox,
    private readonly retention: Retention,
    metrics: Metrics,
  ) {
    this.mails = new Counter({
      name: 'rappen_personal_mails_total',
      help: 'Mails to people that this instance sent, gave up, or left out because their mailbox had enough for a day',
      labelNames: ['outcome'],
      registers: [metrics.registry],
    });
  }

  onModuleInit(): void {
    for (const outcome of ['sent', 'given-up', 'left-out']) this.mails.inc({ outcome }, 0);
    this.retention.keep({
      what: 'outgoing_mail',
      table: 'outgoing_mail',
      over: olderThan('created_at', KEPT_DAYS),
    });
  }

  /** Whether mail goes out at all; without it `add` does nothing. */
  get configured(): boolean {
    return this.mailer.configured;
  }

  /** Goes out after the commit of `tx`. @returns its id; `null` when it will not, because its mailbox had enough for a day */
  async add(tx: EntityManager, { to, subject, text }: PersonalMail): Promise<string | null> {
    if (!this.configured) return null;
    const id = newId('eml');
    const added = await tx.query<unknown[]>(ADD, [id, to, subject, this.box.seal(text, placeOf(id))]);
    if (added.length === 0) this.mails.inc({ outcome: 'left-out' });
    return added.length > 0 ? id : null;
  }

  @ScheduledJob('personal-mail', EVERY_MS)
  async sendNextIfAny(): Promise<boolean> {
    return this.configured && this.sendNext();
  }

  /** @returns whether there was one; there may be more */
  async sendNext(): Promise<boolean> {
    const [[mail]] = await this.dataSource.query<[Claimed[], number]>(CLAIM);
    if (!mail) return false;
    try {
      const text = this.box.open(mail.sealedText, placeOf(mail.id));
      await this.mailer.send({ to: [mail.recipient], subject: mail.subject, text, id: mail.id });
      await this.end(mail, true);
    } catch (error) {
      await this.failed(mail, error);
    }
    return true;
  }

  private async failed(mail: Claimed, error: unknown): Promise<void> {
    const { id, attempts, leaseToken } = mail;
    // Not the error itself: a mail server's answer quotes addresses.
    const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
    const isRefused = typeof responseCode === 'number' && responseCode >= 500;
    const isLast = isRefused || attempts >= MAX_ATTEMPTS;
    this.logger.warn({ mailId: id, attempts, code, responseCode, isLast }, 'mail not sent');
    if (isLast) return this.end(mail, false);
    await this.dataSource.query(
      `UPDATE outgoing_mail SET lease_token = NULL, next_attempt_at = clock_timestamp() + make_interval(secs => $3::float8)
       WHERE id = $1 AND lease_token = $2`,
      [id, leaseToken, exponentialWaitMs(attempts - 1, FIRST_WAIT_MS, LONGEST_WAIT_MS) / 1_000],
    );
  }

  /** That it was sent is true whoever holds the lease by now. */
  private async end({ id, leaseToken }: Claimed, isSent: boolean): Promise<void> {
    this.mails.inc({ outcome: isSent ? 'sent' : 'given-up' });
    await this.dataSource.query(
      `UPDATE outgoing_mail SET sealed_text = NULL, sent_at = CASE WHEN $3 THEN clock_timestamp() END
       WHERE id = $1 AND ($3 OR lease_token = $2)`,
      [id, leaseToken, isSent],
    );
  }
}

function placeOf(id: string) {
  return { table: 'outgoing_mail', column: 'sealed_text', rowId: id };
}
