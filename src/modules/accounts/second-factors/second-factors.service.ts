import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { base32nopad } from '@scure/base';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError, wrongField } from '../../../kernel/domain-error.js';
import { SecretBox } from '../../../platform/secrets/secret-box.js';
import { SetupEnded } from '../accounts.errors.js';
import {
  type Actor,
  type Browser,
  type FactorAdded,
  SEALED_PENDING_SECRETS,
  SEALED_TOTP_SECRETS,
  type SignedIn,
} from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { type LockedPerson, PeopleRepository } from '../data/people.repository.js';
import { CredentialChanges } from '../sessions/credential-changes.js';
import { SessionsRepository } from '../sessions/data/sessions.repository.js';
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
    private readonly sessionRows: SessionsRepository,
    private readonly changes: CredentialChanges,
    private readonly tries: Tries,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly audit: AuditLog,
  ) {}

  /** "Later": they are asked again in some days. */
  async decline(who: SignedIn): Promise<void> {
    await this.people.declineFactor(who.personId);
  }

  /**
   * A new secret, which counts only once a code of it was typed in the same session: whoever is thrown out leaves none behind.
   * @throws DomainError `conflict` while one is on; AccountChanged where the session has ended meanwhile
   */
  async begin(who: SignedIn): Promise<void> {
    const secret = base32nopad.encode(randomBytes(SECRET_BYTES));
    const sealed = this.box.seal(secret, pendingPlaceOf(who.sessionId));
    await this.dataSource.transaction(async (tx) => {
      const person = await this.sessions.hold(tx, who);
      if (await this.people.lockTotp(tx, person.id)) throw areOn();
      await this.sessionRows.setPendingTotp(tx, who.sessionId, sealed);
    });
  }

  /** The secret that awaits its first code in this session. One that is on is never shown again. */
  async pending(who: SignedIn): Promise<TotpSecret | null> {
    const pending = await this.sessionRows.pendingTotp(who.sessionId);
    if (pending === null) return null;
    const base32 = this.box.open(pending.secret, pendingPlaceOf(who.sessionId));
    return { base32, uri: totpUri(base32, who.email, 'Rappen') };
  }

  /**
   * Turns codes on; every other session ends, and only this browser stays known.
   * @param here this browser
   * @throws DomainError `validation-error` for a wrong code; `conflict`, which counts as no guess, where none is awaited
   */
  async enable(who: SignedIn, code: string, actor: Actor, here: Browser): Promise<FactorAdded> {
    const { personId, sessionId } = who;
    const added = await this.tries.at('code', personId, tryingIn(who, actor.ip), () =>
      this.dataSource.transaction(async (tx) => {
        const person = await this.sessions.hold(tx, who);
        const pending = await this.sessionRows.pendingTotp(sessionId, tx);
        // Sent twice it was turned on by the first: to remove it from the app then would lock its person out.
        if (!pending) throw (await this.people.lockTotp(tx, personId)) ? areOn() : new SetupEnded();
        const secret = this.box.open(pending.secret, pendingPlaceOf(sessionId));
        const step = rightStep(secret, code, pending.now, 0);
        await this.people.enableTotp(tx, person, this.box.seal(secret, placeOf(personId)), step);
        await this.sessionRows.setPendingTotp(tx, sessionId, null);
        const endedInvitations = await this.changes.factor(tx, person, here, actor);
        await this.audit.record(tx, actor, { merchantId: null, action: 'codes.enabled', subject: personId });
        return { recoveryCodes: await this.recoveryCodes.ensure(tx, person), endedInvitations };
      }),
    );
    return added ?? { recoveryCodes: null, endedInvitations: 0 };
  }

  /**
   * The same of turning them off.
   * @returns how many open invitations of theirs ended
   * @throws DomainError `conflict` where none are on: nothing ends then, and nobody is told
   */
  async disable(who: SignedIn, actor: Actor, here: Browser): Promise<number> {
    return this.dataSource.transaction(async (tx) => {
      const person = await this.sessions.hold(tx, who);
      if (!(await this.people.disableTotp(tx, person))) throw areOff();
      await this.recoveryCodes.dropWithout(tx, person);
      const endedInvitations = await this.changes.factor(tx, person, here, actor);
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
          await this.spend(tx, personId, code);
        return true;
      }),
    );
  }

  /**
   * Other codes in the place of those before; every other session ends, as somebody may have found one of them and be in by it.
   * @throws DomainError `conflict` without a second factor
   */
  async renewRecoveryCodes(who: SignedIn, actor: Actor, here: Browser): Promise<FactorAdded> {
    return this.dataSource.transaction(async (tx) => {
      const person = await this.sessions.hold(tx, who);
      const recoveryCodes = await this.recoveryCodes.replace(tx, person);
      const endedInvitations = await this.changes.factor(tx, person, here, actor);
      await this.audit.record(tx, actor, {
        merchantId: null,
        action: 'recovery-codes.renewed',
        subject: person.id,
      });
      return { recoveryCodes, endedInvitations };
    });
  }

  /**
   * For somebody who lost them, and who may be signed in on what they lost. The password goes with them: alone it must not
   * open what two factors guarded.
   * @returns how many open invitations of theirs ended
   */
  async forget(
    tx: EntityManager,
    { person, email }: { readonly person: LockedPerson; readonly email: string },
    actor: Actor,
  ): Promise<number> {
    // Before the password, with which what was guessed of them is forgotten.
    await this.people.disableTotp(tx, person);
    await this.passkeys.removeAll(tx, person.id);
    await this.recoveryCodes.dropWithout(tx, person);
    return this.changes.password(tx, { person, email }, null, null, actor);
  }

  recoveryCodesLeft(personId: string): Promise<number> {
    return this.recoveryCodes.left(personId);
  }

  /** Under the person's lock, so that two who bring the same code cannot both be the first. */
  private async spend(tx: EntityManager, personId: string, code: string): Promise<void> {
    const totp = await this.people.lockTotp(tx, personId);
    if (!totp) throw wrongCode();
    const secret = this.box.open(totp.secret, placeOf(personId));
    await this.people.spendTotp(tx, personId, rightStep(secret, code, totp.now, totp.lastStep));
  }
}

/** @returns the step of which the code is @throws DomainError `validation-error` for a wrong one, or one that is spent */
function rightStep(secret: string, code: string, now: Date, lastStep: number): number {
  const step = stepOfCode(Buffer.from(base32nopad.decode(secret)), code, now);
  if (step === null || step <= lastStep) throw wrongCode();
  return step;
}

function areOn(): DomainError {
  return new DomainError('conflict', 'conflict', 'Codes are on already. Turn them off first.');
}

function areOff(): DomainError {
  return new DomainError('conflict', 'conflict', 'Codes are off already.');
}

function wrongCode(): DomainError {
  return wrongField('code', 'This code is not right, or was used already.');
}

function pendingPlaceOf(sessionId: string) {
  return { table: SEALED_PENDING_SECRETS.table, column: SEALED_PENDING_SECRETS.boundAs, rowId: sessionId };
}

function placeOf(personId: string) {
  return { table: SEALED_TOTP_SECRETS.table, column: SEALED_TOTP_SECRETS.boundAs, rowId: personId };
}
