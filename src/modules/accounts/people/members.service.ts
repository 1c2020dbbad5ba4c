import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { about, DomainError, notFound } from '../../../kernel/domain-error.js';
import type { Actor, PersonView, Role } from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { type Member, MembershipsRepository } from '../data/memberships.repository.js';
import { PeopleRepository } from '../data/people.repository.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { InvitationsService } from './invitations.service.js';

/** The people of a merchant, and what each of them is to it. */
@Injectable()
export class MembersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly people: PeopleRepository,
    private readonly memberships: MembershipsRepository,
    private readonly sessions: SessionsService,
    private readonly invitations: InvitationsService,
    private readonly audit: AuditLog,
  ) {}

  /** Owners first. */
  list(merchantId: string): Promise<PersonView[]> {
    return this.memberships.list(merchantId);
  }

  /**
   * Another role from the next request on. Invitations that they could not make in it end.
   * @throws DomainError `not-found`; `conflict` for the last owner; what `AuditLog.record` throws
   */
  async setRole(merchantId: string, personId: string, role: Role, actor: Actor): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const members = await this.memberships.lockAll(tx, merchantId);
      const { email, role: before } = memberOf(members, personId);
      if (before === role) return;
      if (role !== 'owner') requireAnotherOwner(members, personId);
      // Before: it may be one's own.
      await this.audit.record(tx, actor, {
        merchantId,
        action: 'person.role-changed',
        subject: personId,
        detail: { email, before, after: role },
      });
      await this.memberships.setRole(tx, personId, merchantId, role);
      await this.invitations.endFallen(tx, merchantId, actor);
    });
  }

  /**
   * Out of every page of this merchant at once, and their invitations with them; who has nothing else here is signed out
   * everywhere.
   * @throws DomainError `not-found`; `conflict` for the last owner; what `AuditLog.record` throws
   */
  async remove(merchantId: string, personId: string, actor: Actor): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      // A person before what they belong to, as where an invitation is taken.
      const person = await this.people.lock(tx, personId);
      const members = await this.memberships.lockAll(tx, merchantId);
      const { email, role } = memberOf(members, personId);
      requireAnotherOwner(members, personId);
      // Before: it may be oneself.
      await this.audit.record(tx, actor, {
        merchantId,
        action: 'person.removed',
        subject: personId,
        detail: { email, role },
      });
      await this.memberships.remove(tx, personId, merchantId);
      await this.sessions.leaveMerchant(tx, person, merchantId);
      await this.invitations.endFallen(tx, merchantId, actor);
    });
  }
}

function memberOf(members: readonly Member[], personId: string): Member {
  const member = members.find((one) => one.personId === personId);
  if (!member) throw notFound('There is no such person here.');
  return member;
}

function requireAnotherOwner(members: readonly Member[], personId: string): void {
  const owners = members.filter(({ role }) => role === 'owner');
  if (owners.length !== 1 || owners[0]?.personId !== personId) return;
  const text = 'This is the last owner. Make somebody else an owner first.';
  throw new DomainError('conflict', 'conflict', text, about('role', text));
}
