import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONFIG, type Config } from '../../config/config.types.js';
import { ANYBODYS, type By } from '../../database/by.js';
import { DomainError, notFound, wrongField } from '../../kernel/domain-error.js';
import { newId } from '../../kernel/ids.js';
import { characterCount } from '../../kernel/text/character-count.js';
import { Mailer } from '../../platform/mail/mailer.js';
import {
  type Acknowledgement,
  type Alert,
  type AlertFilter,
  type AlertKind,
  type AlertPage,
  type AlertSubject,
  type Following,
  type NewAlert,
  type NoticeBacklog,
  type OpenAlerts,
} from './alerts.types.js';
import { AlertsRepository } from './data/alerts.repository.js';
import { type Channel, NoticesRepository } from './data/notices.repository.js';

const PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 100;
const MAX_NOTE = 1_000;

/** What a merchant or the operator must hear of: shown, counted, and sent where a way out is configured. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly notices: NoticesRepository,
    private readonly mailer: Mailer,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Raises an alert with the commit of `tx`. While one of its kind and subject is not resolved, this only brings its
   * words up to date: whoever sees a trouble may say so as often as they like.
   */
  async raise(tx: EntityManager, alert: NewAlert): Promise<void> {
    await this.alerts.raise(tx, newId('alr'), alert, this.channelsOf(alert));
  }

  /**
   * The trouble is over, with the commit of `tx`. Nothing happens when there is none.
   * @param unseenForS only if nobody raised it for this long: one of several instances may still see it
   */
  async resolve(tx: EntityManager, kind: AlertKind, subject: string, unseenForS = 0): Promise<void> {
    await this.alerts.resolve(tx, kind, subject, unseenForS, this.config.operator.webhook !== null);
  }

  /**
   * Alerts of these kinds are what a list says: each trouble in it is raised, and what stands and is in it no more is
   * over, also what is looked at no more.
   * @param troubles asked after what stands is known: what another instance raises meanwhile is not taken for over
   */
  async follow<Kind extends AlertKind>(
    tx: EntityManager,
    kinds: readonly Kind[],
    troubles: () => Promise<readonly NewAlert<Kind>[]>,
    { isDue = () => true, unseenForS = () => 0 }: Following = {},
  ): Promise<void> {
    const standing = await this.alerts.standingSubjects(kinds);
    const now = await troubles();
    for (const trouble of now) if (isDue(trouble)) await this.raise(tx, trouble);
    const isThere = (one: AlertSubject) =>
      now.some(({ kind, subject }) => kind === one.kind && subject === one.subject);
    for (const gone of standing)
      if (!isThere(gone)) await this.resolve(tx, gone.kind, gone.subject, unseenForS(gone));
  }

  /** Newest first, 20 a page unless told otherwise, 100 at most. */
  async list({ page = 1, pageSize = PAGE_SIZE, ...filter }: AlertFilter = {}): Promise<AlertPage> {
    const limit = Math.min(pageSize, MAX_PAGE_SIZE);
    return this.alerts.list(filter, limit, (page - 1) * limit);
  }

  /** The trouble of a kind and subject that is not over, acknowledged or not. */
  async standing(kind: AlertKind, subject: string): Promise<Alert | null> {
    return this.alerts.standing(kind, subject);
  }

  /** What the alerts of a kind that are not over are about, acknowledged or not. */
  async standingOf(kind: AlertKind): Promise<string[]> {
    return (await this.alerts.standingSubjects([kind])).map(({ subject }) => subject);
  }

  /** How many ask for attention: not over, and acknowledged by nobody. `null` is the operator's. */
  async openCount(merchantId: string | null): Promise<number> {
    return this.alerts.openCount(merchantId);
  }

  /** Everybody's, for the metrics. */
  async openByKind(): Promise<OpenAlerts[]> {
    return this.alerts.openByKind();
  }

  /**
   * A person knows: it asks for attention no more, with the commit of `tx`. Who acknowledged first stays. What is still to be
   * sent of it is sent: it takes a session alone, and whoever sits in it would decide that nobody hears.
   * @throws DomainError `not-found`, `validation-error` for a note of more than 1,000 characters
   */
  async acknowledge(tx: EntityManager, id: string, by: By, { note, whose }: Acknowledgement): Promise<Alert> {
    if (note !== null && characterCount(note) > MAX_NOTE)
      throw wrongField('note', `A note has at most ${MAX_NOTE} characters.`);
    const alert = await this.alerts.find(tx, id);
    if (!alert || (whose !== ANYBODYS && whose !== alert.merchantId)) throw noAlert(id);
    const isFirst = await this.alerts.acknowledge(tx, id, by.name, note);
    const change = { action: 'alert.acknowledged', subject: id, detail: { note } } as const;
    if (isFirst) await by.record(tx, { merchantId: alert.merchantId, ...change });
    return (await this.alerts.find(tx, id)) ?? alert;
  }

  /** What is still to be sent, by each way out that has something. */
  unsent(): Promise<NoticeBacklog[]> {
    return this.notices.backlog();
  }

  /** A way out that is not configured gets no backlog: nobody wants last month's alerts on the day it is. */
  private channelsOf({ merchantId }: NewAlert): Channel[] {
    const { emails, webhook } = this.config.operator;
    const channels: Channel[] = [];
    if (this.mailer.configured && (merchantId !== null || emails.length > 0)) channels.push('mail');
    if (merchantId === null && webhook) channels.push('webhook');
    return channels;
  }
}

function noAlert(id: string): DomainError {
  return notFound(`There is no alert ${id}.`);
}
