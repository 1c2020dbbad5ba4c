import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Agent, AuditTrail, By, Change } from '../../../database/also.js';
import { MailOutbox } from '../../../platform/mail/mail-outbox.js';
import { SecurityLog, type SecurityEvent } from '../../../platform/observability/security-log.js';
import type { Actor, AuditEntry } from '../accounts.types.js';
import { audienceOf, newsLetter } from '../domain/letters.js';

/** Filters offer what happened lately: looking through years of a log for its kinds would take longer than reading it. */
const KNOWN_AMONG = 5_000;

/** Who changed what, for ever: the database refuses to change an entry. */
@Injectable()
export class AuditLog implements AuditTrail {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: MailOutbox,
    private readonly security: SecurityLog,
  ) {}

  /** In the transaction of the change, so that there is neither without the other. */
  async record(tx: EntityManager, actor: Actor, change: Change): Promise<void> {
    await tx.query(
      `INSERT INTO audit_entry (actor, person_id, merchant_id, action, subject, detail, address)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        actor.name,
        actor.personId,
        change.merchantId,
        change.action,
        change.subject,
        JSON.stringify(change.detail ?? {}),
        actor.address,
      ],
    );
    const event = securityEventOf(change.action);
    if (event)
      this.security.note(event, {
        account: actor.personId ?? actor.name,
        ip: actor.address,
        why: change.action,
      });
    await this.tell(tx, actor, change);
  }

  /** @param name who decides, where the actor is only how it reached us: the command line */
  by(actor: Actor, name: string = actor.name): By {
    const detail = name === actor.name ? {} : { by: name };
    return {
      name,
      record: (tx, change) => this.record(tx, actor, { ...change, detail: { ...change.detail, ...detail } }),
    };
  }

  agent(name: Agent, address: string | null): By {
    return this.by({ name, personId: null, address });
  }

  /** Mails what people must hear of, so that no change can forget to. */
  private async tell(tx: EntityManager, actor: Actor, change: Change): Promise<void> {
    const audience = this.outbox.configured ? audienceOf(change.action) : null;
    if (audience === null || (audience === 'owners' && change.merchantId === null)) return;
    const whom = await tx.query<{ email: string; merchantName: string | null; at: Date }[]>(
      audience === 'self'
        ? 'SELECT email, NULL AS "merchantName", clock_timestamp() AS at FROM person WHERE id = $1'
        : `SELECT p.email, m.name AS "merchantName", clock_timestamp() AS at
           FROM membership ms JOIN person p ON p.id = ms.person_id JOIN merchant m ON m.id = ms.merchant_id
           WHERE ms.merchant_id = $1 AND ms.role = 'owner' ORDER BY p.email`,
      [audience === 'self' ? actor.personId : change.merchantId],
    );
    for (const { email, merchantName, at } of whom) {
      const { action, subject, detail = {} } = change;
      const told = { action, merchantName, actor: actor.name, address: actor.address, at, subject, detail };
      await this.outbox.add(tx, { to: email, ...newsLetter(told) });
    }
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
    // "id" alone would be the text of the result, in which 10 comes before 9.
    return this.dataSource.query<AuditEntry[]>(
      `SELECT id::text AS id, at, actor, merchant_id AS "merchantId", action, subject, detail, address
       FROM audit_entry
       WHERE ${merchantId === null ? '$1::text IS NULL' : 'merchant_id = $1'}
         AND ($3::bigint IS NULL OR id < $3) AND ($4::text[] IS NULL OR action = ANY ($4))
         AND ($5::text IS NULL OR actor = $5)
       ORDER BY audit_entry.id DESC LIMIT $2`,
      [merchantId, limit, before, actions, actor],
    );
  }

  /** Who did something for a merchant lately, and which kinds of things: what a log can be filtered by. */
  async known(merchantId: string): Promise<{ actors: string[]; actions: string[] }> {
    const rows = await this.dataSource.query<{ actor: string; action: string }[]>(
      `SELECT DISTINCT actor, action FROM (
         SELECT actor, action FROM audit_entry WHERE merchant_id = $1 ORDER BY id DESC LIMIT ${KNOWN_AMONG}) AS latest`,
      [merchantId],
    );
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
