import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError, wrongField } from '../../../kernel/domain-error.js';
import { ipBlocks } from '../../../platform/rate-limit/client-ip.js';
import { AccountChanged } from '../accounts.errors.js';
import type { Actor, Origin, Proven, SignedIn } from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { PeopleRepository, type PersonRow } from '../data/people.repository.js';
import { normalEmail } from '../domain/email.js';
import { isPassword } from '../passwords/password-hashing.js';
import { PasskeysService } from '../second-factors/passkeys.service.js';
import { SecondFactorsService } from '../second-factors/second-factors.service.js';
import { KnownDevicesRepository } from '../sessions/data/known-devices.repository.js';
import type { Guessed, Guesser } from '../sessions/domain/guess-limits.js';
import { type ProvenAgain, SessionsService } from '../sessions/sessions.service.js';
import { Tries, tryingIn } from '../sessions/tries.js';
import { UnfinishedSignIns } from '../sessions/unfinished-sign-ins.js';

/** Where a sign-in stands: what the cookie is to hold, and whether it opens anything yet. */
export interface SignIn {
  readonly token: string;
  readonly stage: 'second-factor' | 'full';
  /** What the browser's long-lived cookie is to hold; `null` while nothing is open yet. */
  readonly device: string | null;
}

/** One in which somebody is known. */
export interface KnownBrowser {
  /** `null` where several are: which of them it is cannot be said. */
  readonly personId: string | null;
}

/** The same words for an unknown address, a wrong password and a person who has none yet. */
const WRONG = 'The e-mail address or the password is not right.';

/** The log keeps it for ever. */
const MAX_BROWSER_CHARS = 200;

/** Passwords, codes and passkeys into sessions. */
@Injectable()
export class SignInService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly people: PeopleRepository,
    private readonly sessions: SessionsService,
    private readonly secondFactors: SecondFactorsService,
    private readonly passkeys: PasskeysService,
    private readonly devices: KnownDevicesRepository,
    private readonly tries: Tries,
    private readonly unfinished: UnfinishedSignIns,
    private readonly audit: AuditLog,
  ) {}

  /**
   * The same answer after the same work, whether the person exists or not.
   * @throws DomainError `validation-error` when it is not right, `rate-limit-exceeded` while the account has to wait,
   *   AccountChanged where it is not right any more
   */
  async withPassword(typed: string, password: string, origin: Origin): Promise<SignIn> {
    const email = normalEmail(typed);
    const guesser = await this.guesserOf('password', email, origin);
    const person = await this.passwordOf(email, password, guesser, origin.ip);
    if (!person) throw wrongField('password', WRONG);
    const proven = { personId: person.id, email, credentials: person.credentials };
    return this.tries.proven({ ...proven, ip: origin.ip, guesser }, () =>
      person.hasSecondFactor ? this.beginHalfWay(proven, origin) : this.begin(proven, origin),
    );
  }

  /**
   * The second step.
   * @param halfWay what `withPassword` gave
   * @throws DomainError `validation-error`, `rate-limit-exceeded`; `unauthenticated` when the first step is too long ago
   */
  async withCode(halfWay: string, code: string, origin: Origin): Promise<SignIn> {
    const person = await this.sessions.findHalfWay(halfWay);
    if (!person) throw new DomainError('unauthenticated', 'not-permitted', 'Begin again with your password.');
    const actor = { name: person.email, personId: person.personId, ip: origin.ip };
    const guesser = await this.guesserOf('code', person.email, origin);
    const trying = { ...person, ip: origin.ip, guesser };
    await this.secondFactors.prove(trying, code, actor);
    return this.tries.proven(trying, () => this.begin(person, origin, halfWay));
  }

  /**
   * By a passkey alone, or as the second step after a password: the device has verified the person, so it is both.
   * @throws DomainError `validation-error`
   */
  async withPasskey(answer: string, origin: Origin): Promise<SignIn> {
    const proven = await this.passkeys.verify(answer, origin.ip);
    const trying = { ...proven, ip: origin.ip, guesser: { kind: 'stranger', id: '' } } as const;
    return this.tries.proven(trying, () => this.begin(proven, origin));
  }

  /**
   * A session for somebody whose identity is proven. They are told of each new browser but the first that they ever use: whoever
   * has taken a link in another has used that one, and may be somebody else than who signs in here.
   * @param halfWay the cookie of the first step, which ends
   * @throws AccountChanged where what was proved does not hold any more
   */
  async begin(
    { personId, email, credentials }: Proven,
    origin: Origin,
    halfWay: string | null = null,
  ): Promise<SignIn> {
    return this.dataSource.transaction(async (tx) => {
      // Of two that sign in at the same moment, one is not the first.
      const person = await this.people.lockAs(tx, personId, credentials);
      if (halfWay !== null && !(await this.sessions.close(halfWay, tx))) throw new AccountChanged();
      const token = await this.sessions.open(tx, person, origin, 'full');
      await this.unfinished.finish(tx, personId, halfWay ?? origin.session);
      const actor = { name: email, personId, ip: origin.ip };
      const hasSignedIn = await this.audit.hasSignedIn(tx, personId);
      await this.audit.record(tx, actor, { merchantId: null, action: 'signed-in', subject: personId });
      const device = await this.devices.remember(tx, personId, origin.device ?? null, false);
      if (device.isNew && (hasSignedIn || device.hasOthers)) {
        const detail = { browser: origin.userAgent.slice(0, MAX_BROWSER_CHARS) };
        const action = 'signed-in.new-device';
        await this.audit.record(tx, actor, { merchantId: null, action, subject: personId, detail });
      }
      return { token, stage: 'full', device: device.token };
    });
  }

  /** The first of two steps, of somebody who may know the password alone. @throws AccountChanged like `begin` */
  private beginHalfWay({ personId, email, credentials }: Proven, origin: Origin): Promise<SignIn> {
    return this.dataSource.transaction(async (tx) => {
      const person = await this.people.lockAs(tx, personId, credentials);
      const token = await this.sessions.open(tx, person, origin, 'second-factor');
      // Asked under the lock: whoever was thrown out while the password was looked at is a stranger.
      const isKnown = await this.devices.isKnown('code', email, origin.device ?? null, tx);
      if (!isKnown) await this.unfinished.begin(tx, personId, origin, token);
      return { token, stage: 'second-factor', device: null };
    });
  }

  /** Signs out, in this browser. Whoever was thrown out of it meanwhile has nothing left to end, and leaves no entry. */
  async end(who: SignedIn, { name, personId, ip }: Actor): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      if (!(await this.sessions.signOut(tx, who))) return;
      // Not as of the session: there is none any more.
      const actor = { name, personId, ip };
      await this.audit.record(tx, actor, { merchantId: null, action: 'signed-out', subject: who.personId });
    });
  }

  /**
   * Somebody who is signed in proves it again, for what a thief would want first.
   * @param code only looked at where there is a second factor
   * @throws DomainError like `withPassword` and `withCode`
   */
  async proveAgain(who: SignedIn, password: string, code: string, actor: Actor): Promise<ProvenAgain> {
    const guesser = { kind: 'session', id: who.sessionId } as const;
    const person = await this.passwordOf(who.email, password, guesser, actor.ip);
    if (!person) throw wrongField('password', 'The password is not right.');
    const trying = { ...tryingIn(who, actor.ip), personId: who.personId };
    return this.tries.proven(trying, async () => {
      if (person.hasSecondFactor) await this.secondFactors.prove(trying, code, actor);
      return this.prove(who, person, actor);
    });
  }

  /** The same by a passkey. @throws DomainError `validation-error`, also for another person's */
  async proveAgainByPasskey(who: SignedIn, answer: string, actor: Actor): Promise<ProvenAgain> {
    const verified = await this.passkeys.verify(answer, actor.ip, who);
    return this.tries.proven(tryingIn(who, actor.ip), () => this.prove(who, verified, actor));
  }

  private prove(
    who: SignedIn,
    { credentials }: Pick<Proven, 'credentials'>,
    actor: Actor,
  ): Promise<ProvenAgain> {
    return this.dataSource.transaction(async (tx) => {
      await this.people.lockAs(tx, who.personId, credentials);
      const proven = await this.sessions.prove(tx, who.sessionId);
      await this.audit.record(tx, actor, {
        merchantId: null,
        action: 'identity.proven',
        subject: who.personId,
      });
      return proven;
    });
  }

  /**
   * A sign-in that was refused because too many came in this minute.
   * @param email whose account was asked for; `null` where nobody said whose: then it is that of whoever is known in the browser
   * @param known of the browser; `null` for a stranger's
   */
  async tooSoon(email: string | null, ip: string, known: KnownBrowser | null): Promise<void> {
    const typed = email === null ? null : normalEmail(email);
    const person = typed === null ? null : await this.people.findByEmail(typed);
    const personId = typed === null ? (known?.personId ?? null) : (person?.id ?? null);
    const guesser = { kind: known ? 'device' : 'stranger', id: '' } as const;
    this.tries.throttled({ personId, email: typed, ip, guesser }, 'pace');
  }

  /**
   * A browser that is known at all, as by a link; `null` for a stranger's.
   * @param email whose account is asked for; `null`: known to anybody who has one
   */
  async knownBrowser(email: string | null, device: string): Promise<KnownBrowser | null> {
    const people = await this.devices.knownIn(email === null ? null : normalEmail(email), device);
    const [personId = null, another] = people;
    if (personId === null) return null;
    return { personId: another === undefined ? personId : null };
  }

  /** Strangers are counted by the network that one subscriber may have: of IPv6 that is a /48. */
  private async guesserOf(guessed: Guessed, email: string, { ip, device = null }: Origin): Promise<Guesser> {
    if (device !== null && (await this.devices.isKnown(guessed, email, device)))
      return { kind: 'device', id: device };
    return { kind: 'stranger', id: ipBlocks(ip).at(-1) ?? ip };
  }

  private async passwordOf(
    email: string,
    password: string,
    guesser: Guesser,
    ip: string | null,
  ): Promise<PersonRow | null> {
    const person = await this.people.findByEmail(email);
    const trying = { personId: person?.id ?? null, email, ip, guesser };
    const account = guesser.kind === 'stranger' ? null : email;
    return this.tries.at('password', email, trying, async () =>
      (await isPassword(password, person?.passwordHash ?? null, account)) ? person : null,
    );
  }
}
