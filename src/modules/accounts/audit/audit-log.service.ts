import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONFIG, type Config } from '../../../config/config.types.js';
import type { Agent, AuditTrail, By, Change, RefusedChange, Whose } from '../../../database/by.js';
import { MailOutbox } from '../../../platform/mail/mail-outbox.js';
import { SecurityLog } from '../../../platform/observability/security-log.js';
import { AccountChanged, NotPermitted } from '../accounts.errors.js';
import {
  type AccountEntry,
  type AccountSecurityEvent,
  type Actor,
  type AuditEntry,
  NEWS_URL,
  type NewsUrl,
} from '../accounts.types.js';
import { ActingSessionsRepository } from '../data/acting-sessions.repository.js';
import { FirstTimesRepository } from '../data/first-times.repository.js';
import { type Audience, audiencesOf, isNews, securityEventOf, topicOf } from '../domain/news.js';
import { newsLetter } from '../domain/news-letter.js';
import { may } from '../permissions.pure.js';
import { AuditEntriesRepository, type AuditPart, type Listener } from './data/audit-entries.repository.js';
import { WriteBehind } from './write-behind.js';

/** Of refusals of one kind there is an entry so often, and no more: the log is kept for ever. */
const REFUSALS_EVERY_S = 3_600;
/** On a page about much else. */
const OF_ACCOUNT = 10;

/** Who changed what, for ever: the database refuses to change an entry. */
@Injectable()
export class AuditLog implements AuditTrail {
  /** Whose session is known to stand, by transaction. */
  private readonly admitted = new WeakMap<EntityManager, string>();

  constructor(
    private readonly entries: AuditEntriesRepository,
    private readonly outbox: MailOutbox,
    private readonly security: SecurityLog<AccountSecurityEvent>,
    private readonly actingSessions: ActingSessionsRepository,
    private readonly firstTimes: FirstTimesRepository,
    private readonly later: WriteBehind,
    @Inject(NEWS_URL) private readonly urlOf: NewsUrl,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * In the transaction of the change, so that there is neither without the other. A change that takes away what it is made by
   * (one's own role, one's own session) is recorded before it is made.
   * @throws AccountChanged where the session in which it is made has ended; NotPermitted where whoever makes it may not any more
   */
  async record(tx: EntityManager, actor: Actor, change: Change): Promise<void> {
    await this.admit(tx, actor);
    await this.write(tx, actor, change);
  }

  /**
   * A request was let in before its body came, and may have waited for much since: what is recorded here is asked for once more,
   * so that nobody who was thrown out finishes what they had begun. The first entry of a transaction decides for all of it.
   */
  private async admit(tx: EntityManager, { session }: Actor): Promise<void> {
    if (!session || this.admitted.get(tx) === session.id) return;
    const part = await this.actingSessions.part(tx, session);
    if (!part) throw new AccountChanged();
    if (!may(part, session.permission)) throw new NotPermitted();
    this.admitted.set(tx, session.id);
  }

  private async write(tx: EntityManager, actor: Actor, change: Change): Promise<void> {
    await this.entries.insert(tx, actor, change);
    const event = securityEventOf(change.action);
    if (event)
      this.security.note(event, {
        account: change.subject,
        by: actor.personId ?? actor.name,
        ip: actor.ip,
        why: change.action,
      });
    await this.tell(tx, actor, change);
  }

  /**
   * An entry once an hour of a kind, or whoever is refused could fill the log; the security log counts each. It is written a
   * moment after the answer.
   */
  refused(actor: Actor, { why, ...change }: RefusedChange): void {
    const kind = `${change.action}:${why}:${actor.name}`;
    this.later.add(`${kind}:${change.subject}`, async (tx) => {
      if (!(await this.firstTimes.isFirst(tx, kind, change.subject, REFUSALS_EVERY_S))) return;
      // It has changed nothing, and may be of somebody who is out by now.
      await this.write(tx, actor, { ...change, detail: { why } });
    });
  }

  refusedAgent(name: Agent, ip: string | null, refusal: RefusedChange): void {
    this.refused({ name, personId: null, ip }, refusal);
  }

  /** Whether this person has ever signed in: the log is for ever, what is known of browsers is not. */
  hasSignedIn(tx: EntityManager, personId: string): Promise<boolean> {
    return this.entries.hasSignedIn(tx, personId);
  }

  /** What somebody else may have done at an account: the last ten, newest first. */
  ofAccount(personId: string): Promise<AccountEntry[]> {
    return this.entries.ofAccount(personId, OF_ACCOUNT);
  }

  by(actor: Actor): By {
    return { name: actor.by ?? actor.name, record: (tx, change) => this.record(tx, actor, change) };
  }

  agent(name: Agent, ip: string | null): By {
    return this.by({ name, personId: null, ip });
  }

  /** Mails what people must hear of, so that no change can forget to. */
  private async tell(tx: EntityManager, actor: Actor, change: Change): Promise<void> {
    const { action, subject, detail = {} } = change;
    if (!this.outbox.configured || !isNews(action, detail)) return;
    const told = new Set<string>();
    const world = { urlOf: this.urlOf, networkName: this.networkName };
    for (const audience of audiencesOf(action)) {
      for (const { email, language, merchantName, at } of await this.listeners(tx, audience, change)) {
        if (told.has(email)) continue;
        told.add(email);
        const news = { action, audience, merchantName, actor: actor.name, ip: actor.ip, at };
        const letter = newsLetter({ ...news, subject, detail, language }, world);
        await this.outbox.tell(tx, topicOf(action, change.merchantId, audience), { to: email, ...letter });
      }
    }
  }

  /** "Ethereum"; of a network that is not served any more its id. */
  private readonly networkName = (id: string): string =>
    this.config.networks.find((network) => network.id === id)?.name ?? id;

  private async listeners(
    tx: EntityManager,
    audience: Audience,
    { subject, merchantId }: Change,
  ): Promise<Listener[]> {
    if (audience === 'subject') return this.entries.person(tx, subject, merchantId);
    if (audience === 'operators') return merchantId === null ? this.entries.operators(tx) : [];
    return merchantId === null ? [] : this.entries.owners(tx, merchantId);
  }

  /** A log, newest first. */
  async list(whose: Whose, limit: number, part: AuditPart = {}): Promise<AuditEntry[]> {
    return this.entries.list(whose, limit, part);
  }

  /** Who did something for a merchant lately, and which kinds of things: what a log can be filtered by. */
  async known(merchantId: string): Promise<{ actors: string[]; actions: string[] }> {
    const rows = await this.entries.known(merchantId);
    const distinct = (values: string[]) => [...new Set(values)].sort();
    return {
      actors: distinct(rows.map(({ actor }) => actor)),
      actions: distinct(rows.map(({ action }) => action)),
    };
  }
}
