import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '../../../kernel/domain-error.js';
import type { Actor } from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { type LockedPerson, PeopleRepository } from '../data/people.repository.js';
import { RecoveryCodesRepository } from './data/recovery-codes.repository.js';
import { hashRecoveryCode, newRecoveryCodes } from './domain/recovery-code.js';

/** For the day that phone or key are lost: ten codes, each in the place of a second factor once. Only hashes are kept. */
@Injectable()
export class RecoveryCodes {
  constructor(
    private readonly people: PeopleRepository,
    private readonly codes: RecoveryCodesRepository,
    private readonly audit: AuditLog,
  ) {}

  /**
   * New ones in the place of all before.
   * @returns them, this once
   * @throws DomainError `conflict` for somebody without a second factor, for which they would stand
   */
  async replace(tx: EntityManager, person: LockedPerson): Promise<string[]> {
    if ((await this.people.secondFactors(tx, person)) === 0) {
      const text = 'Recovery codes come with an authenticator app or a passkey.';
      throw new DomainError('conflict', 'conflict', text);
    }
    const codes = newRecoveryCodes();
    await this.codes.replace(tx, person.id, codes.map(hashRecoveryCode));
    return codes;
  }

  /** After a second factor more: with the first there are codes, and with another they stay. @returns `null` where they do */
  async ensure(tx: EntityManager, person: LockedPerson): Promise<string[] | null> {
    return (await this.people.secondFactors(tx, person)) > 1 ? null : this.replace(tx, person);
  }

  /** With the last second factor they go: they stand for one, and would open nothing but look as if. */
  async dropWithout(tx: EntityManager, person: LockedPerson): Promise<void> {
    if ((await this.people.secondFactors(tx, person)) === 0) await this.codes.replace(tx, person.id, []);
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
