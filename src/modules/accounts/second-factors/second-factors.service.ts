import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { base32nopad } from '@scure/base';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError, wrongField } from '../../../kernel/domain-error.js';
import { SecretBox } from '../../../platform/secrets/secret-box.js';
import {
  type Actor,
  type Browser,
  type FactorAdded,
  SEALED_TOTP_SECRETS,
  type SignedIn,
} from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { PeopleRepository } from '../data/people.repository.js';
import { CredentialChanges } from '../sessions/credential-changes.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { Tries, type Trying, tryingIn } from '../sessions/tries.js';
import { PasskeysRepository } from './data/passkeys.repository.js';
import { stepOfCode, totpUri } from './domain/totp.js';
import { RecoveryCodes } from './recovery-codes.js';

/** RFC 4226 advises the length of its hash. */
const SECRET_BYTES = 20;

/** What an authenticator has to be told. */
export interface TotpSecret {
  readonly base32: string;
  readonly uri: string;
}

/** Codes of an authenticator (RFC 6238), and recovery codes in their place. */
@Injectable()
export class SecondFactorsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly people: PeopleRepository,
    private readonly passkeys: PasskeysRepository,
    private readonly box: SecretBox,
    private readonly sessions: SessionsService,
    private readonly changes: CredentialChanges,
    private readonly tries: Tries,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly audit: AuditLog,
  ) {}

  /** "Later": they are asked again in some days. */
  async decline(who: SignedIn): Promise<void> {
    await this.people.declineFactor(who.personId);
  }

  /** A new secret, which counts only once a code of it was typed. @throws DomainError `conflict` while one is on */
  async begin(who: SignedIn): Promise<void> {
    const secret = base32nopad.encode(randomBytes(SECRET_BYTES));
    const sealed = this.box.seal(secret, placeOf(who.personId));
    if (!(await this.people.beginTotp(who.personId, sealed)))
      throw new DomainError('conflict', 'conflict', 'Codes are on already. Turn them off first.');
  }

  /** The secret that awaits its first code. One that is on is never shown again. */
  async pending(who: SignedIn): Promise<TotpSecret | null> {
    const sealed = await this.people.pendingTotp(who.personId);
    if (sealed === null) return null;
    const base32 = this.box.open(sealed, placeOf(who.personId));
    return { base32, uri: totpUri(base32, who.email, 'Rappen') };
  }

  /**
   * Turns codes on; every other session ends, and only this browser stays known.
   * @param here this browser
   * @throws DomainError `validation-error` for a wrong code
   */
  async enable(who: SignedIn, code: string, actor: Actor, here: Browser): Promise<FactorAdded> {
    const { personId } = who;
    const added = await this.tries.at('code', personId, tryingIn(who, actor.ip), () =>
      this.dataSource.transaction(async (tx) => {
        await this.spend(tx, personId, code, false);
        await this.people.enableTotp(tx, personId);
        const endedInvitations = await this.changes.factor(tx, personId, here, actor);
        await this.audit.record(tx, actor, { merchantId: null, action: 'codes.enabled', subject: personId });
        return { recoveryCodes: await this.recoveryCodes.ensure(tx, personId), endedInvitations };
      }),
    );
    return added ?? { recoveryCodes: null, endedInvitations: 0 };
  }

  /** The same of turning them off. @returns how many open invitations of theirs ended */
  async disable(who: SignedIn, actor: Actor, here: Browser): Promise<number> {
    return this.dataSource.transaction(async (tx) => {
      await this.people.disableTotp(tx, who.personId);
      await this.recoveryCodes.dropWithout(tx, who.personId);
      const endedInvitations = await this.changes.factor(tx, who.personId, here, actor);
      await this.audit.record(tx, actor, {
        merchantId: null,
        action: 'codes.disabled',
        subject: who.personId,
      });
      return endedInvitations;
    });
  }

  /**
   * A code of the authenticator or a recovery code, each good for once.
   * @throws DomainError `validation-error` for a wrong or spent one, `rate-limit-exceeded` while the account has to wait
   */
  async prove(trying: Trying & { readonly personId: string }, code: string, actor: Actor): Promise<void> {
    const { personId } = trying;
    await this.tries.at('code', personId, trying, () =>
      this.dataSource.transaction(async (tx) => {
        if (!(await this.recoveryCodes.spend(tx, personId, code, actor)))
          await this.spend(tx, personId, code, true);
        return true;
      }),
    );
  }

  /** Other codes in the place of those before. @returns them, this once */
  async renewRecoveryCodes(who: SignedIn, actor: Actor): Promise<string[]> {
    return this.dataSource.transaction(async (tx) => {
      await this.sessions.hold(tx, who);
      await this.audit.record(tx, actor, {
        merchantId: null,
        action: 'recovery-codes.renewed',
        subject: who.personId,
      });
      return this.recoveryCodes.replace(tx, who.personId);
    });
  }

  /**
   * For somebody who lost them, and who may be signed in on what they lost. The password goes with them: alone it must not
   * open what two factors guarded.
   * @returns how many open invitations of theirs ended
   */
  async forget(
    tx: EntityManager,
    person: { readonly id: string; readonly email: string },
    actor: Actor,
  ): Promise<number> {
    const endedInvitations = await this.changes.password(tx, person, null, null, actor);
    await this.people.disableTotp(tx, person.id);
    await this.recoveryCodes.forget(tx, person.id);
    await this.passkeys.removeAll(tx, person.id);
    return endedInvitations;
  }

  recoveryCodesLeft(personId: string): Promise<number> {
    return this.recoveryCodes.left(personId);
  }

  /** Under the person's lock, so that two who bring the same code cannot both be the first. */
  private async spend(tx: EntityManager, personId: string, code: string, isOn: boolean): Promise<void> {
    const totp = await this.people.lockTotp(tx, personId, isOn);
    const step = totp?.secret
      ? stepOfCode(
          Buffer.from(base32nopad.decode(this.box.open(totp.secret, placeOf(personId)))),
          code,
          totp.now,
        )
      : null;
    if (!totp || step === null || step <= totp.lastStep) {
      throw wrongField('code', 'This code is not right, or was used already.');
    }
    await this.people.spendTotp(tx, personId, step);
  }
}

function placeOf(personId: string) {
  return { table: SEALED_TOTP_SECRETS.table, column: SEALED_TOTP_SECRETS.boundAs, rowId: personId };
}
