import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { notFound } from '../../../kernel/domain-error.js';
import type { Actor, OperatorView } from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { PeopleRepository } from '../data/people.repository.js';
import { normalEmail } from '../domain/email.js';
import { InvitationEnds } from '../sessions/invitation-ends.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { OperatorsRepository } from './data/operators.repository.js';

/** Who runs the instance, and no longer does. One becomes an operator by an invitation. */
@Injectable()
export class OperatorsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly people: PeopleRepository,
    private readonly operators: OperatorsRepository,
    private readonly invitations: InvitationEnds,
    private readonly sessions: SessionsService,
    private readonly audit: AuditLog,
  ) {}

  list(): Promise<OperatorView[]> {
    return this.operators.list();
  }

  /**
   * Out of every page of the operators at once, and signed out everywhere. What they offered as an operator ends, and what
   * was offered to them to be one: neither is a way back in. What they are to merchants stays. The last one goes like any
   * other: they are made and dismissed at the command line, which needs none.
   * @throws DomainError `not-found` for whoever is no operator; nothing has changed then
   */
  async dismiss(typed: string, actor: Actor): Promise<void> {
    const email = normalEmail(typed);
    await this.dataSource.transaction(async (tx) => {
      const personId = await this.operators.dismiss(tx, email);
      if (personId === null) throw notFound(`${email} is no operator.`);
      await this.sessions.endElsewhere(tx, await this.people.lock(tx, personId), null);
      await this.audit.record(tx, actor, {
        merchantId: null,
        action: 'operator.dismissed',
        subject: personId,
        detail: { email },
      });
      await this.invitations.ofDismissed(tx, personId, email, actor);
    });
  }
}
