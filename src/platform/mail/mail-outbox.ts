import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Counter } from 'prom-client';
import type { EntityManager } from 'typeorm';
import { exponentialWaitMs } from '../../kernel/backoff.js';
import { fieldsOf } from '../../kernel/error-fields.js';
import { newId } from '../../kernel/ids.js';
import { type Language, utcMoment } from '../../kernel/text/staff-languages.js';
import { ScheduledJob } from '../jobs/scheduled-job.js';
import { Metrics } from '../observability/metrics.js';
import { olderThan } from '../retention/data/older-than.sql.js';
import { Retention } from '../retention/retention.js';
import type { SealedColumns } from '../secrets/sealed-columns.js';
import { SecretBox } from '../secrets/secret-box.js';
import { type ClaimedMail, OutgoingMailsRepository } from './data/outgoing-mails.repository.js';
import { isRefused, Mailer } from './mailer.js';

/** Nobody reads theirs faster. */
const EVERY_MS = 2_000;
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 3_600_000;
/** With the waits above a day and a few hours; the links in mails do not live much longer. */
const MAX_ATTEMPTS = 32;
/** Long enough to answer "was it sent?". */
const KEPT_DAYS = 30;

export const SEALED_MAILS: SealedColumns = {
  table: 'outgoing_mail',
  columns: ['sealed_text'],
  boundAs: 'sealed_text',
};

export interface PersonalMail {
  /** One address, in its normal spelling. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** In which both are. */
  readonly language: Language;
}

/** What news to one person is collected with. */
export interface Topic {
  readonly kind: string;
  /** Of what: news of one neither stands for news of another, nor uses up its number. */
  readonly of: string;
}

/** Mail to one person each, written in the transaction of what it tells of, and sent by a job until a server takes it. */
@Injectable()
export class MailOutbox implements OnModuleInit {
  private readonly logger = new Logger(MailOutbox.name);
  private readonly mails: Counter<'outcome'>;

  constructor(
    private readonly rows: OutgoingMailsRepository,
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

  /** Whether mail goes out at all; without it nothing is added. */
  get configured(): boolean {
    return this.mailer.configured;
  }

  /** A link, after the commit of `tx`. @returns its id; `null` when it will not go, because its mailbox had enough for a day */
  async addLink(tx: EntityManager, { to, subject, text, language }: PersonalMail): Promise<string | null> {
    if (!this.configured) return null;
    const id = newId('eml');
    const sealedText = this.seal(id, text);
    if (await this.rows.insertLink(tx, { id, recipient: to, subject, sealedText, language })) return id;
    this.mails.inc({ outcome: 'left-out' });
    return null;
  }

  /**
   * News, after the commit of `tx`. None is left out: what comes often of a topic is collected, and the latest stands for
   * all. How many topics there can be for one person is for whoever calls to bound.
   */
  async tell(tx: EntityManager, topic: Topic, { to, subject, text, language }: PersonalMail): Promise<void> {
    if (!this.configured) return;
    const about = `${topic.kind}:${topic.of}`;
    const collecting = await this.rows.lockCollecting(tx, to, about);
    const id = collecting ?? newId('eml');
    const mail = { id, recipient: to, subject, sealedText: this.seal(id, text), language };
    await (collecting === null ? this.rows.insertNews(tx, mail, about) : this.rows.collect(tx, mail));
  }

  @ScheduledJob('personal-mail', EVERY_MS)
  async sendNextIfAny(): Promise<boolean> {
    return this.configured && this.sendNext();
  }

  /** @returns whether there was one; there may be more */
  async sendNext(): Promise<boolean> {
    const mail = await this.rows.claim();
    if (!mail) return false;
    try {
      const { subject, text } = worded(mail, this.box.open(mail.sealedText, placeOf(mail.id)));
      await this.mailer.send({ to: [mail.recipient], subject, text, language: mail.language, id: mail.id });
    } catch (error) {
      await this.failed(mail, error);
      return true;
    }
    // Where this fails it was sent all the same: once its lease is over it goes again, by the same id.
    await this.end(mail, true);
    return true;
  }

  private seal(id: string, text: string): string {
    return this.box.seal(text, placeOf(id));
  }

  private async failed(mail: ClaimedMail, error: unknown): Promise<void> {
    const { id, attempts } = mail;
    // Not the error itself: a mail server's answer quotes addresses.
    const { code, responseCode } = fieldsOf(error);
    const isLast = isRefused(error) || attempts >= MAX_ATTEMPTS;
    this.logger.warn({ mailId: id, attempts, code, responseCode, isLast }, 'mail not sent');
    if (isLast) return this.end(mail, false);
    await this.rows.retryIn(exponentialWaitMs(attempts - 1, FIRST_WAIT_MS, LONGEST_WAIT_MS), mail);
  }

  private async end(mail: ClaimedMail, isSent: boolean): Promise<void> {
    await this.rows.end(mail, isSent);
    this.mails.inc({ outcome: isSent ? 'sent' : 'given-up' });
  }
}

function worded(
  { subject, standsFor, createdAt, language }: ClaimedMail,
  text: string,
): { subject: string; text: string } {
  if (standsFor === 1) return { subject, text };
  return COLLECTED[language](subject, text, standsFor, utcMoment(createdAt, language));
}

type Collected = (
  subject: string,
  text: string,
  times: number,
  since: string,
) => { subject: string; text: string };

const COLLECTED: Readonly<Record<Language, Collected>> = {
  en: (subject, text, times, since) => ({
    subject: `${subject} (${times} times)`,
    text: `This happened ${times} times since ${since}; the log has all of them. The latest:\n\n${text}`,
  }),
  de: (subject, text, times, since) => ({
    subject: `${subject} (${times}-mal)`,
    text: `Das geschah ${times}-mal seit ${since}; das Protokoll hat sie alle. Das letzte:\n\n${text}`,
  }),
};

function placeOf(id: string) {
  return { table: SEALED_MAILS.table, column: SEALED_MAILS.boundAs, rowId: id };
}
