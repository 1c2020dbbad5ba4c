import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Agent, AuditTrail, By, Change } from '../../../database/by.js';
import { MailOutbox } from '../../../platform/mail/mail-outbox.js';
import { SecurityLog, type SecurityEvent } from '../../../platform/observability/security-log.js';
import type { Actor, AuditEntry } from '../accounts.types.js';
import { audienceOf, newsLetter, type Audience } from '../domain/letters.js';
import { AuditEntries, type Listener } from './data/audit-entries.repository.js';

/** Who changed what, for ever: the database refuses to change an entry. */
@Injectable()
export class AuditLog implements AuditTrail {
  constructor(
    private readonly entries: AuditEntries,
    private readonly outbox: MailOutbox,
    private readonly security: SecurityLog,
  ) {}

  /** In the transaction of the change, so that there is neither without the other. */
  async record(tx: EntityManager, actor: Actor, change: Change): Promise<void> {
    await this.entries.insert(tx, actor, change);
    const event = securityEventOf(change.action);
    if (event)
      this.security.note(event, {
        account: actor.personId ?? actor.name,
        ip: actor.address,
        why: change.action,
      });
    await this.tell(tx, actor, change);
  }

  by(actor: Actor): By {
    return { name: actor.by ?? actor.name, record: (tx, change) => this.record(tx, actor, change) };
  }

  agent(name: Agent, address: string | null): By {
    return this.by({ name, personId: null, address });
  }

  /** Mails what people must hear of, so that no change can forget to. */
  private async tell(tx: EntityManager, actor: Actor, change: Change): Promise<void> {
    const audience = this.outbox.configured ? audienceOf(change.action) : null;
    if (audience === null) return;
    for (const { email, merchantName, at } of await this.listeners(tx, audience, actor, change)) {
      const { action, subject, detail = {} } = change;
      const told = { action, merchantName, actor: actor.name, address: actor.address, at, subject, detail };
      await this.outbox.add(tx, { to: email, ...newsLetter(told) });
    }
  }

  private async listeners(
    tx: EntityManager,
    audience: Audience,
    { personId }: Actor,
    { merchantId }: Change,
  ): Promise<Listener[]> {
    if (audience === 'self') return this.entries.person(tx, personId);
    return merchantId === null ? [] : this.entries.owners(tx, merchantId);
  }

  /**
   * A log, newest first.
   * @param merchantId whose; `null` is everybody's, for the operator
   * @param before an entry's id: only older ones
   * @param actions only these; `null` is any
   * @param actor only what this one did; `null` is anybody
   */
  async list(
    merchantId: string | null,
    limit: number,
    before: string | null = null,
    actions: readonly string[] | null = null,
    actor: string | null = null,
  ): Promise<AuditEntry[]> {
    return this.entries.list(merchantId, limit, before, actions, actor);
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

const SECURITY_EVENTS: readonly (readonly [RegExp, SecurityEvent])[] = [
  [/^signed-in$/, 'sign-in'],
  [/^identity\.proven$/, 'step-up'],
  [/^password\./, 'password-changed'],
  [/^(codes|passkey|recovery-codes?)\./, 'factor-changed'],
  [/^(person\.invited|invitation\.)/, 'invitation'],
  [/^(person\.|address\.)/, 'role-changed'],
];

function securityEventOf(action: string): SecurityEvent | null {
  return SECURITY_EVENTS.find(([pattern]) => pattern.test(action))?.[1] ?? null;
}
