import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Actor, AuditEntry } from './accounts.types.js';

/** What a change leaves in the log. Never a secret: the log is read by people. */
export interface Change {
  /** `null` for what is not about one merchant. */
  readonly merchantId: string | null;
  /** "key.revoked": a thing and a verb in the past. */
  readonly action: string;
  /** The id of what was changed. */
  readonly subject: string;
  /** What a reader wants to know: labels, before and after. JSON. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Filters offer what happened lately: looking through years of a log for its kinds would take longer than reading it. */
const KNOWN_AMONG = 5_000;

/** Who changed what, for ever: the database refuses to change an entry. */
@Injectable()
export class AuditLog {
  constructor(private readonly dataSource: DataSource) {}

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
