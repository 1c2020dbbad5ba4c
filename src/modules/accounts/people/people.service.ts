import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../../kernel/domain-error.js';
import { newId } from '../../../kernel/ids.js';
import type { Actor, PersonView, Role, SignedIn } from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { checkedEmail } from '../domain/email.js';
import { flawOfPassword, normalPassword } from '../passwords/domain/password-policy.js';
import { GuessDelays } from '../sessions/guess-delays.js';
import { KnownDevices } from '../sessions/data/known-devices.repository.js';
import { hashPassword, isPassword } from '../passwords/password-hashing.js';
import { isGuessable } from '../passwords/password-strength.js';
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
    private readonly sessions: SessionsService,
    private readonly delays: GuessDelays,
    private readonly devices: KnownDevices,
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
      const id = await this.ensure(tx, email);
      if (!(await this.register(tx, id, hash)))
        throw new DomainError('conflict', 'conflict', `${email} has an account already.`);
      if (person.isOperator) await tx.query('UPDATE person SET is_operator = true WHERE id = $1', [id]);
      if (person.isEmailProven) await this.proveEmail(tx, id, actor.name, actor);
      if (person.merchantId !== undefined) await this.join(tx, id, person.merchantId, person.role ?? 'owner');
      await this.audit.record(tx, actor, {
        merchantId: person.merchantId ?? null,
        action: 'person.created',
        subject: id,
        detail: { email, role: person.role ?? null, operator: person.isOperator ?? false },
      });
      return id;
    });
  }

  async findByEmail(email: string): Promise<{ id: string; hasPassword: boolean } | null> {
    const [row] = await this.dataSource.query<{ id: string; hasPassword: boolean }[]>(
      'SELECT id, password_hash IS NOT NULL AS "hasPassword" FROM person WHERE email = $1',
      [email],
    );
    return row ?? null;
  }

  /** The people of a merchant, owners first. */
  async list(merchantId: string): Promise<PersonView[]> {
    return this.dataSource.query<PersonView[]>(
      `SELECT p.id, p.email, ms.role,
              p.totp_enabled_at IS NOT NULL OR EXISTS (SELECT 1 FROM passkey k WHERE k.person_id = p.id) AS "hasSecondFactor",
              (SELECT max(last_seen_at) FROM session s WHERE s.person_id = p.id) AS "lastSeenAt",
              (SELECT a.at FROM audit_entry a WHERE a.person_id = p.id AND a.action = 'signed-in'
               ORDER BY a.id DESC LIMIT 1) AS "lastSignInAt"
       FROM membership ms JOIN person p ON p.id = ms.person_id
       WHERE ms.merchant_id = $1 ORDER BY array_position(ARRAY['owner', 'developer', 'reviewer', 'read-only'], ms.role), p.email`,
      [merchantId],
    );
  }

  /**
   * Another role from the next request on.
   * @throws DomainError `not-found`; `conflict` for the last owner
   */
  async setRole(merchantId: string, personId: string, role: Role, actor: Actor): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const { email, before } = await this.lockMember(tx, merchantId, personId);
      if (before === role) return;
      if (role !== 'owner') await requireAnotherOwner(tx, merchantId, personId);
      await tx.query('UPDATE membership SET role = $3 WHERE merchant_id = $1 AND person_id = $2', [
        merchantId,
        personId,
        role,
      ]);
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
      const { email, before } = await this.lockMember(tx, merchantId, personId);
      await requireAnotherOwner(tx, merchantId, personId);
      await tx.query('DELETE FROM membership WHERE merchant_id = $1 AND person_id = $2', [
        merchantId,
        personId,
      ]);
      await this.sessions.leaveMerchant(tx, personId, merchantId);
      await this.audit.record(tx, actor, {
        merchantId,
        action: 'person.removed',
        subject: personId,
        detail: { email, role: before },
      });
    });
  }

  /**
   * A new password instead of the present one; every other session ends.
   * @returns what this session's cookie is to hold from now on
   * @throws DomainError `validation-error` for a wrong present or a weak new one, `rate-limit-exceeded` while the
   *   account has to wait: a taken session is no way around the delays
   */
  async changePassword(who: SignedIn, present: string, next: string, actor: Actor): Promise<string> {
    const { personId, email, sessionId } = who;
    const guess = await this.delays.count('password', email, { kind: 'session', id: sessionId });
    const [person] = await this.dataSource.query<{ hash: string | null }[]>(
      'SELECT password_hash AS hash FROM person WHERE id = $1',
      [personId],
    );
    if (!(await isPassword(present, person?.hash ?? null))) {
      throw new DomainError('invalid', 'validation-error', 'The present password is not right.');
    }
    await guess.forgive();
    if (normalPassword(present) === normalPassword(next)) throw isPresent();
    const merchants = who.memberships.map(({ merchantName }) => merchantName);
    const hash = await hashPassword(await checkedPassword(next, email, merchants));
    return this.dataSource.transaction(async (tx) => {
      await this.setPassword(tx, personId, hash);
      await this.devices.forget(tx, personId);
      await this.sessions.revokeAll(tx, personId, sessionId);
      await this.audit.record(tx, actor, { merchantId: null, action: 'password.changed', subject: personId });
      return this.sessions.renew(tx, sessionId);
    });
  }

  /** The person of an address, made if there is none yet; without a password nobody can sign in as it. */
  async ensure(tx: EntityManager, email: string): Promise<string> {
    await tx.query('INSERT INTO person (id, email) VALUES ($1, $2) ON CONFLICT (email) DO NOTHING', [
      newId('usr'),
      email,
    ]);
    const [row] = await tx.query<{ id: string }[]>('SELECT id FROM person WHERE email = $1 FOR UPDATE', [
      email,
    ]);
    return row!.id;
  }

  /** A link that sets a new password is no use for the old one. @throws DomainError `validation-error` */
  async refusePresent(email: string, password: string): Promise<void> {
    const [person] = await this.dataSource.query<{ hash: string | null }[]>(
      'SELECT password_hash AS hash FROM person WHERE email = $1',
      [email],
    );
    if (person?.hash && (await isPassword(password, person.hash))) throw isPresent();
  }

  /** The first password of somebody new. @returns `false` for whoever has, or had, an account: it is theirs */
  async register(tx: EntityManager, personId: string, hash: string): Promise<boolean> {
    const [registered] = await tx.query<[unknown[], number]>(
      `UPDATE person SET password_hash = $2, registered_at = clock_timestamp() WHERE id = $1 AND registered_at IS NULL
       RETURNING 1`,
      [personId, hash],
    );
    return registered.length > 0;
  }

  /** @param by 'mailbox', or who gave their word */
  async proveEmail(tx: EntityManager, personId: string, by: string, actor: Actor): Promise<void> {
    const [proven] = await tx.query<[unknown[], number]>(
      `UPDATE person SET email_proven_at = clock_timestamp(), email_proven_by = $2 WHERE id = $1 AND email_proven_at IS NULL
       RETURNING 1`,
      [personId, by],
    );
    if (proven.length === 0) return;
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
    if (merchantId !== null && role !== null) {
      await tx.query(
        `INSERT INTO membership (person_id, merchant_id, role) VALUES ($1, $2, $3)
         ON CONFLICT (person_id, merchant_id) DO NOTHING`,
        [personId, merchantId, role],
      );
    }
    if (isOperator) await tx.query('UPDATE person SET is_operator = true WHERE id = $1', [personId]);
    await this.audit.record(tx, actor, {
      merchantId,
      action: 'person.joined',
      subject: personId,
      detail: { email: actor.name, role, operator: isOperator, invitedBy },
    });
  }

  private async join(tx: EntityManager, personId: string, merchantId: string, role: Role): Promise<void> {
    await tx.query('INSERT INTO membership (person_id, merchant_id, role) VALUES ($1, $2, $3)', [
      personId,
      merchantId,
      role,
    ]);
  }

  async setPassword(tx: EntityManager, personId: string, hash: string): Promise<void> {
    await tx.query('UPDATE person SET password_hash = $2 WHERE id = $1', [personId, hash]);
  }

  private async lockMember(
    tx: EntityManager,
    merchantId: string,
    personId: string,
  ): Promise<{ email: string; before: Role }> {
    // All of the merchant's: two owners who remove each other at the same moment would leave none.
    const members = await tx.query<{ personId: string; email: string; before: Role }[]>(
      `SELECT ms.person_id AS "personId", p.email, ms.role AS before FROM membership ms JOIN person p ON p.id = ms.person_id
       WHERE ms.merchant_id = $1 ORDER BY ms.person_id FOR UPDATE OF ms`,
      [merchantId],
    );
    const member = members.find((one) => one.personId === personId);
    if (!member) throw new DomainError('not_found', 'not-found', 'There is no such person here.');
    return member;
  }
}

function isPresent(): DomainError {
  return new DomainError('invalid', 'validation-error', 'This is the present password. Choose another one.');
}

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
    throw new DomainError(
      'invalid',
      'validation-error',
      'This password is one of the first that somebody would guess. Use another one, such as a sentence of your own.',
    );
  return password;
}

function possiblePassword(password: string, email: string): string {
  const flaw = flawOfPassword(password, email);
  if (flaw !== null) throw new DomainError('invalid', 'validation-error', flaw);
  return password;
}

async function requireAnotherOwner(tx: EntityManager, merchantId: string, personId: string): Promise<void> {
  const owners = await tx.query<unknown[]>(
    `SELECT 1 FROM membership WHERE merchant_id = $1 AND role = 'owner' AND person_id <> $2 LIMIT 1`,
    [merchantId, personId],
  );
  if (owners.length > 0) return;
  const self = await tx.query<unknown[]>(
    `SELECT 1 FROM membership WHERE merchant_id = $1 AND role = 'owner' AND person_id = $2`,
    [merchantId, personId],
  );
  if (self.length > 0)
    throw new DomainError(
      'conflict',
      'conflict',
      'This is the last owner. Make somebody else an owner first.',
    );
}
