import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { RecoveryCodesRepository } from './data/recovery-codes.repository.js';
import { hashRecoveryCode, newRecoveryCodes } from './domain/recovery-code.js';

/** For the day that phone or key are lost: ten codes, each in the place of a second factor once. Only hashes are kept. */
@Injectable()
export class RecoveryCodes {
  constructor(
    private readonly codes: RecoveryCodesRepository,
    private readonly audit: AuditLog,
  ) {}

  /** New ones in the place of all before. @returns them, this once */
  async replace(tx: EntityManager, personId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    await this.codes.replace(tx, personId, codes.map(hashRecoveryCode));
    return codes;
  }

  /** With the first second factor there are codes; with another they stay. @returns `null` for somebody who has some */
  async ensure(tx: EntityManager, personId: string): Promise<string[] | null> {
    return (await this.codes.exist(tx, personId)) ? null : this.replace(tx, personId);
  }

  /** With the last second factor they go: they stand for one, and would open nothing but look as if. */
  async dropWithout(tx: EntityManager, personId: string): Promise<void> {
    await this.codes.dropWithout(tx, personId);
  }

  async forget(tx: EntityManager, personId: string): Promise<void> {
    await this.codes.replace(tx, personId, []);
  }

  /** @returns whether it was an unused one; it is used now */
  async spend(tx: EntityManager, personId: string, code: string, actor: Actor): Promise<boolean> {
    if (!(await this.codes.spend(tx, personId, hashRecoveryCode(code)))) return false;
    await this.audit.record(tx, actor, { merchantId: null, action: 'recovery-code.used', subject: personId });
    return true;
  }

  left(personId: string): Promise<number> {
    return this.codes.left(personId);
  }
}
