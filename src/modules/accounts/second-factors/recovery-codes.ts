import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Actor } from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { hashRecoveryCode, newRecoveryCodes } from './domain/recovery-code.js';

/** For the day that phone or key are lost: ten codes, each in the place of a second factor once. Only hashes are kept. */
@Injectable()
export class RecoveryCodes {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
  ) {}

  /** New ones in the place of all before. @returns them, this once */
  async replace(tx: EntityManager, personId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    await tx.query('DELETE FROM recovery_code WHERE person_id = $1', [personId]);
    await tx.query('INSERT INTO recovery_code (person_id, hash) SELECT $1, unnest($2::bytea[])', [
      personId,
      codes.map(hashRecoveryCode),
    ]);
    return codes;
  }

  /** With the first second factor there are codes; with another they stay. @returns `null` for somebody who has some */
  async ensure(tx: EntityManager, personId: string): Promise<string[] | null> {
    const [has] = await tx.query<unknown[]>('SELECT 1 FROM recovery_code WHERE person_id = $1 LIMIT 1', [
      personId,
    ]);
    return has ? null : this.replace(tx, personId);
  }

  /** With the last second factor they go: they stand for one, and would open nothing but look as if. */
  async dropWithout(tx: EntityManager, personId: string): Promise<void> {
    await tx.query(
      `DELETE FROM recovery_code WHERE person_id = $1
       AND NOT EXISTS (SELECT 1 FROM passkey WHERE person_id = $1)
       AND NOT EXISTS (SELECT 1 FROM person WHERE id = $1 AND totp_enabled_at IS NOT NULL)`,
      [personId],
    );
  }

  /** @returns whether it was an unused one; it is used now */
  async spend(tx: EntityManager, personId: string, code: string, actor: Actor): Promise<boolean> {
    const [spent] = await tx.query<[unknown[], number]>(
      'UPDATE recovery_code SET used_at = clock_timestamp() WHERE person_id = $1 AND hash = $2 AND used_at IS NULL RETURNING 1',
      [personId, hashRecoveryCode(code)],
    );
    if (spent.length === 0) return false;
    await this.audit.record(tx, actor, { merchantId: null, action: 'recovery-code.used', subject: personId });
    return true;
  }

  async left(personId: string): Promise<number> {
    const [row] = await this.dataSource.query<{ left: number }[]>(
      'SELECT count(*)::integer AS left FROM recovery_code WHERE person_id = $1 AND used_at IS NULL',
      [personId],
    );
    return row?.left ?? 0;
  }
}
