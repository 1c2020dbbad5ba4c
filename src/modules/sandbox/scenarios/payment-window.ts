import { Injectable } from '@nestjs/common';
import type { Client } from 'pg';
import { DataSource } from 'typeorm';

/**
 * Quarters of an hour are too long to wait for in a test. The sandbox, and nothing else, can end a payment window: the
 * whole window is moved into the past, so that it still is fifteen minutes long and everything that follows (the sweep,
 * the event, the review queue) is what production does. ADR 0021 says what that changes.
 */
@Injectable()
export class PaymentWindow {
  constructor(private readonly dataSource: DataSource) {}

  /** As the tables' owner: nowhere else may the service's role move a window. */
  static async permit(owner: Client, role: string): Promise<void> {
    await owner.query(`GRANT UPDATE (created_at, expires_at) ON intent TO ${owner.escapeIdentifier(role)}`);
  }

  /** Does nothing to a window that is over. @returns its last instant; `null` for an unknown intent */
  async end(intentId: string): Promise<Date | null> {
    await this.dataSource.query(
      `UPDATE intent SET created_at = created_at - (expires_at - ends), expires_at = ends
       FROM (SELECT clock_timestamp() AS ends) AS w
       WHERE id = $1 AND status IN ('initiated', 'pending', 'confirmed') AND expires_at > ends`,
      [intentId],
    );
    const [row] = await this.dataSource.query<{ expiresAt: Date }[]>(
      'SELECT expires_at AS "expiresAt" FROM intent WHERE id = $1',
      [intentId],
    );
    return row?.expiresAt ?? null;
  }
}
