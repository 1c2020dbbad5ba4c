import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError } from '../../kernel/domain-error.js';
import type { Actor, Origin, SignedIn } from './accounts.types.js';
import { AuditLog } from './audit-log.service.js';
import { normalEmail } from './domain/email.js';
import { GuessDelays } from './guess-delays.js';
import { isPassword } from './password-hashing.js';
import { PasskeysService } from './passkeys.service.js';
import { SecondFactorsService } from './second-factors.service.js';
import { SessionsService } from './sessions.service.js';

/** Where a sign-in stands: what the cookie is to hold, and whether it opens anything yet. */
export interface SignIn {
  readonly token: string;
  readonly stage: 'second-factor' | 'full';
}

/** The same words for an unknown address, a wrong password and a person who has none yet. */
const WRONG = 'The e-mail address or the password is not right.';

/** Passwords, codes and passkeys into sessions. */
@Injectable()
export class SignInService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
    private readonly secondFactors: SecondFactorsService,
    private readonly passkeys: PasskeysService,
    private readonly delays: GuessDelays,
    private readonly audit: AuditLog,
  ) {}

  /**
   * The same answer after the same work, whether the person exists or not.
   * @throws DomainError `validation-error` when it is not right, `rate-limit-exceeded` while the account has to wait
   */
  async withPassword(address: string, password: string, origin: Origin): Promise<SignIn> {
    const email = normalEmail(address);
    const person = await this.passwordOf(email, password);
    if (!person) throw new DomainError('invalid', 'validation-error', WRONG);
    const stage = person.hasSecondFactor ? 'second-factor' : 'full';
    return this.begin(person.id, email, origin, stage);
  }

  /**
   * The second step.
   * @param halfWay what `withPassword` gave
   * @throws DomainError `validation-error`, `rate-limit-exceeded`; `unauthenticated` when the first step is too long ago
   */
  async withCode(halfWay: string, code: string, origin: Origin): Promise<SignIn> {
    const person = await this.sessions.findHalfWay(halfWay);
    if (!person) throw new DomainError('unauthenticated', 'not-permitted', 'Begin again with your password.');
    const actor = { name: person.email, personId: person.personId, address: origin.address };
    await this.secondFactors.prove(person.personId, code, actor);
    await this.sessions.close(halfWay);
    return this.begin(person.personId, person.email, origin, 'full');
  }

  /**
   * By a passkey alone, or as the second step after a password: the device has verified the person, so it is both.
   * @throws DomainError `validation-error`
   */
  async withPasskey(answer: string, origin: Origin): Promise<SignIn> {
    const { personId, email } = await this.passkeys.verify(answer);
    return this.begin(personId, email, origin, 'full');
  }

  /** A session for somebody whose identity is proven. */
  async begin(personId: string, email: string, origin: Origin, stage: SignIn['stage']): Promise<SignIn> {
    return this.dataSource.transaction(async (tx) => {
      const token = await this.sessions.open(tx, personId, origin, stage);
      if (stage === 'full') {
        const actor = { name: email, personId, address: origin.address };
        await this.audit.record(tx, actor, { merchantId: null, action: 'signed-in', subject: personId });
      }
      return { token, stage };
    });
  }

  /**
   * Somebody who is signed in proves it again, for what a thief would want first.
   * @param code only looked at where there is a second factor
   * @throws DomainError like `withPassword` and `withCode`
   */
  async proveAgain(who: SignedIn, password: string, code: string, actor: Actor): Promise<void> {
    const person = await this.passwordOf(who.email, password);
    if (!person) throw new DomainError('invalid', 'validation-error', 'The password is not right.');
    if (person.hasSecondFactor) await this.secondFactors.prove(who.personId, code, actor);
    await this.prove(who, actor);
  }

  /** The same by a passkey. @throws DomainError `validation-error`, also for another person's */
  async proveAgainByPasskey(who: SignedIn, answer: string, actor: Actor): Promise<void> {
    const { personId } = await this.passkeys.verify(answer);
    if (personId !== who.personId)
      throw new DomainError('invalid', 'validation-error', 'This is the passkey of another account.');
    await this.prove(who, actor);
  }

  private async prove(who: SignedIn, actor: Actor): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      await this.sessions.prove(tx, who.sessionId);
      await this.audit.record(tx, actor, {
        merchantId: null,
        action: 'identity.proven',
        subject: who.personId,
      });
    });
  }

  private async passwordOf(
    email: string,
    password: string,
  ): Promise<{ id: string; hasSecondFactor: boolean } | null> {
    await this.delays.count('password', email);
    const [person] = await this.dataSource.query<
      { id: string; hash: string | null; hasSecondFactor: boolean }[]
    >(
      `SELECT id, password_hash AS hash,
              totp_enabled_at IS NOT NULL OR EXISTS (SELECT 1 FROM passkey k WHERE k.person_id = p.id) AS "hasSecondFactor"
       FROM person p WHERE email = $1`,
      [email],
    );
    if (!(await isPassword(password, person?.hash ?? null)) || !person) return null;
    await this.delays.forget('password', email);
    return person;
  }
}
