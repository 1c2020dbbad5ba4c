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

  /** A merchant's log, newest first. @param before an entry's id: only older ones */
  async list(merchantId: string, limit: number, before: string | null = null): Promise<AuditEntry[]> {
    return this.dataSource.query<AuditEntry[]>(
      `SELECT id::text AS id, at, actor, merchant_id AS "merchantId", action, subject, detail, address
       FROM audit_entry WHERE merchant_id = $1 AND ($3::bigint IS NULL OR id < $3) ORDER BY id DESC LIMIT $2`,
      [merchantId, limit, before],
    );
  }
}
