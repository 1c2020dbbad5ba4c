import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { about, DomainError, wrongField } from '../../../kernel/domain-error.js';
import type { Actor, PersonView, Role, SignedIn } from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { MembershipsRepository, type Member } from '../data/memberships.repository.js';
import { PeopleRepository } from '../data/people.repository.js';
import { checkedEmail } from '../domain/email.js';
import { flawOfPassword, normalPassword } from '../passwords/domain/password-policy.js';
import { Tries, tryingIn } from '../sessions/tries.js';
import { hashPassword, isPassword } from '../passwords/password-hashing.js';
import { isGuessable } from '../passwords/password-strength.js';
import { PasswordChanges } from '../sessions/password-changes.js';
import { SessionsService } from '../sessions/sessions.service.js';

export interface NewPerson {
  readonly email: string;
  /** Checked against the policy. */
  readonly password: string;
  readonly isOperator?: boolean;
  readonly merchantId?: string;
  readonly role?: Role;
  /** By the word of whoever makes them. */
  readonly isEmailProven?: boolean;
}

/** What somebody takes on with an invitation. */
export interface Part {
  readonly merchantId: string | null;
  readonly role: Role | null;
  readonly isOperator: boolean;
  readonly invitedBy: string;
}

/** People and what they are to merchants. */
@Injectable()
export class PeopleService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly people: PeopleRepository,
    private readonly memberships: MembershipsRepository,
    private readonly sessions: SessionsService,
    private readonly tries: Tries,
    private readonly passwords: PasswordChanges,
    private readonly audit: AuditLog,
  ) {}

  /**
   * A person with a password from the start, which a program has chosen, as the sandbox and tests need one. Others are
   * invited.
   * @throws DomainError `validation-error`; `conflict` when the address is taken
   */
  async create(person: NewPerson, actor: Actor): Promise<string> {
    const email = checkedEmail(person.email);
    const hash = await hashPassword(possiblePassword(person.password, email));
    return this.dataSource.transaction(async (tx) => {
      const id = await this.people.ensure(tx, email);
      if (!(await this.people.register(tx, id, hash)))
        throw new DomainError('conflict', 'conflict', `${email} has an account already.`);
      if (person.isEmailProven) await this.proveEmail(tx, id, actor.name, actor);
      if (person.merchantId !== undefined)
        await this.memberships.insert(tx, id, person.merchantId, person.role ?? 'owner');
      await this.audit.record(tx, actor, {
        merchantId: person.merchantId ?? null,
        action: 'person.created',
        subject: id,
        detail: { email, role: person.role ?? null },
      });
      if (person.isOperator) await this.makeOperator(tx, id, { email }, actor);
      return id;
    });
  }

  async findByEmail(email: string): Promise<{ id: string; hasPassword: boolean } | null> {
    const person = await this.people.findByEmail(email);
    return person && { id: person.id, hasPassword: person.passwordHash !== null };
  }

  /** The people of a merchant, owners first. */
  list(merchantId: string): Promise<PersonView[]> {
    return this.memberships.list(merchantId);
  }

  /**
   * Another role from the next request on.
   * @throws DomainError `not-found`; `conflict` for the last owner
   */
  async setRole(merchantId: string, personId: string, role: Role, actor: Actor): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const members = await this.memberships.lockAll(tx, merchantId);
      const { email, role: before } = memberOf(members, personId);
      if (before === role) return;
      if (role !== 'owner') requireAnotherOwner(members, personId);
      await this.memberships.setRole(tx, personId, merchantId, role);
      await this.audit.record(tx, actor, {
        merchantId,
        action: 'person.role-changed',
        subject: personId,
        detail: { email, before, after: role },
      });
    });
  }

  /**
   * Out of every page of this merchant at once; who has nothing else here is signed out everywhere.
   * @throws DomainError `not-found`; `conflict` for the last owner
   */
  async remove(merchantId: string, personId: string, actor: Actor): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const members = await this.memberships.lockAll(tx, merchantId);
      const { email, role } = memberOf(members, personId);
      requireAnotherOwner(members, personId);
      await this.memberships.remove(tx, personId, merchantId);
      await this.sessions.leaveMerchant(tx, personId, merchantId);
      await this.audit.record(tx, actor, {
        merchantId,
        action: 'person.removed',
        subject: personId,
        detail: { email, role },
      });
    });
  }

  /**
   * A new password instead of the present one; every other session ends, and only this browser stays known.
   * @param device what this browser's long-lived cookie holds
   * @returns what this session's cookie is to hold from now on
   * @throws DomainError `validation-error` for a wrong present or a weak new one, `rate-limit-exceeded` while the
   *   account has to wait: a taken session is no way around the delays
   */
  async changePassword(
    who: SignedIn,
    { present, next }: { readonly present: string; readonly next: string },
    actor: Actor,
    device: string | null,
  ): Promise<string> {
    const { personId, email, sessionId } = who;
    const isRight = await this.tries.at('password', email, tryingIn(who, actor.address), async () =>
      (await isPassword(present, await this.people.passwordHash(personId))) ? true : null,
    );
    if (!isRight) throw wrongField('present', 'The present password is not right.');
    if (normalPassword(present) === normalPassword(next)) throw isPresent();
    const merchants = who.memberships.map(({ merchantName }) => merchantName);
    const hash = await hashPassword(await checkedPassword(next, email, merchants));
    return this.dataSource.transaction(async (tx) => {
      await this.passwords.change(tx, { id: personId, email }, hash, { sessionId, device });
      await this.audit.record(tx, actor, { merchantId: null, action: 'password.changed', subject: personId });
      return this.sessions.renew(tx, sessionId);
    });
  }

  /** A link that sets a new password is no use for the old one. @throws DomainError `validation-error` */
  async refusePresent(email: string, password: string): Promise<void> {
    const person = await this.people.findByEmail(email);
    if (person?.passwordHash && (await isPassword(password, person.passwordHash))) throw isPresent();
  }

  /** @param by 'mailbox', or who gave their word */
  async proveEmail(tx: EntityManager, personId: string, by: string, actor: Actor): Promise<void> {
    if (!(await this.people.proveEmail(tx, personId, by))) return;
    await this.audit.record(tx, actor, {
      merchantId: null,
      action: 'address.proven',
      subject: personId,
      detail: { by },
    });
  }

  /** What a person has just accepted. A role that they have by now stays: it is changed by owners, not by invitations. */
  async takeOn(tx: EntityManager, personId: string, part: Part, actor: Actor): Promise<void> {
    const { merchantId, role, isOperator, invitedBy } = part;
    const detail = { email: actor.name, invitedBy };
    if (isOperator) await this.makeOperator(tx, personId, detail, actor);
    if (merchantId === null || role === null) return;
    await this.memberships.ensure(tx, personId, merchantId, role);
    await this.audit.record(tx, actor, {
      merchantId,
      action: 'person.joined',
      subject: personId,
      detail: { ...detail, role },
    });
  }

  private async makeOperator(
    tx: EntityManager,
    personId: string,
    detail: Readonly<Record<string, string>>,
    actor: Actor,
  ): Promise<void> {
    await this.people.makeOperator(tx, personId);
    const change = { merchantId: null, action: 'operator.joined', subject: personId, detail } as const;
    await this.audit.record(tx, actor, change);
  }
}

const isPresent = () => wrongField('next', 'This is the present password. Choose another one.');

/**
 * A password that a person has chosen.
 * @param names what else is known of them: their merchants
 * @throws DomainError `validation-error` saying what is wrong with the password
 */
export async function checkedPassword(
  password: string,
  email: string,
  names: readonly string[],
): Promise<string> {
  possiblePassword(password, email);
  if (await isGuessable(normalPassword(password), [email, ...names]))
    throw wrongField(
      'next',
      'This password is one of the first that somebody would guess. Use another one, such as a sentence of your own.',
    );
  return password;
}

function possiblePassword(password: string, email: string): string {
  const flaw = flawOfPassword(password, email);
  if (flaw !== null) throw wrongField('next', flaw);
  return password;
}

function memberOf(members: readonly Member[], personId: string): Member {
  const member = members.find((one) => one.personId === personId);
  if (!member) throw new DomainError('not_found', 'not-found', 'There is no such person here.');
  return member;
}

function requireAnotherOwner(members: readonly Member[], personId: string): void {
  const owners = members.filter(({ role }) => role === 'owner');
  if (owners.length !== 1 || owners[0]?.personId !== personId) return;
  const text = 'This is the last owner. Make somebody else an owner first.';
  throw new DomainError('conflict', 'conflict', text, about('role', text));
}
