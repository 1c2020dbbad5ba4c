import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../../kernel/domain-error.js';
import type { Actor, EndedMembership, Role } from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { MembershipsRepository } from '../data/memberships.repository.js';
import { type LockedPerson, PeopleRepository } from '../data/people.repository.js';
import { checkedEmail } from '../domain/email.js';
import { possiblePassword } from '../passwords/chosen-password.js';
import { hashPassword } from '../passwords/password-hashing.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { OperatorsRepository } from './data/operators.repository.js';

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

/** People, and what they become here. */
@Injectable()
export class PeopleService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly people: PeopleRepository,
    private readonly memberships: MembershipsRepository,
    private readonly operators: OperatorsRepository,
    private readonly sessions: SessionsService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * A person with a password from the start, which a program has chosen, as the sandbox and tests need one. Others are
   * invited.
   * @throws DomainError `validation-error`; `conflict` when the address is taken
   */
  async create(person: NewPerson, actor: Actor): Promise<string> {
    const email = checkedEmail(person.email);
    const hash = await hashPassword(possiblePassword(person.password, email), email);
    return this.dataSource.transaction(async (tx) => {
      const made = await this.people.ensure(tx, email);
      const { id } = made;
      if (!(await this.people.register(tx, made, hash)))
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

  /**
   * Of an account whose address was never proved nobody can say who took on what it is to merchants: that ends, the last owner's
   * part too, each with its entry. Nothing of an account that is proved to be its person's.
   * @param isMeant whether it was asked for @throws DomainError `conflict` where something would end that was not
   */
  async endUnproven(
    tx: EntityManager,
    { person, email }: { readonly person: LockedPerson; readonly email: string },
    isMeant: boolean,
    actor: Actor,
  ): Promise<EndedMembership[]> {
    if (!isMeant && (await this.memberships.hasUnproven(tx, person.id))) throw unproven(email);
    const ended = await this.memberships.endUnproven(tx, person.id);
    for (const { merchantId, role } of ended) {
      await this.sessions.leaveMerchant(tx, person, merchantId);
      await this.audit.record(tx, actor, {
        merchantId,
        action: 'person.removed',
        subject: person.id,
        detail: { email, role },
      });
    }
    return ended;
  }

  /** Nothing has become of whoever is one already, and nobody is told. */
  private async makeOperator(
    tx: EntityManager,
    personId: string,
    detail: Readonly<Record<string, string>>,
    actor: Actor,
  ): Promise<void> {
    if (!(await this.operators.make(tx, personId))) return;
    const change = { merchantId: null, action: 'operator.joined', subject: personId, detail } as const;
    await this.audit.record(tx, actor, change);
  }
}

function unproven(email: string): DomainError {
  return new DomainError(
    'conflict',
    'conflict',
    `Nobody has proved that the account of ${email} is its person's, and it belongs to merchants. If it is theirs, say so first (user confirm), and they stay what they are. If somebody else made it, end that too (--end-roles).`,
  );
}
