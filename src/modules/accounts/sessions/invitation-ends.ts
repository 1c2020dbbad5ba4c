import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { type EndedInvitation, InvitationEndsRepository } from '../data/invitation-ends.repository.js';

/** Invitations that end with something else, in its transaction, each with its entry: none is a way back in. */
@Injectable()
export class InvitationEnds {
  constructor(
    private readonly ends: InvitationEndsRepository,
    private readonly audit: AuditLog,
  ) {}

  /** After a change of who may invite there: what somebody offered who could not offer it any more. */
  async fallenAt(tx: EntityManager, merchantId: string, actor: Actor): Promise<void> {
    await this.record(tx, await this.ends.end(tx, 'fallenAt', merchantId), actor);
  }

  /** What they offered as an operator, and what was offered to them to be one. */
  async ofDismissed(tx: EntityManager, personId: string, email: string, actor: Actor): Promise<void> {
    const fallen = await this.ends.end(tx, 'fallenOf', personId);
    const offered = await this.ends.end(tx, 'offersToOperate', email);
    await this.record(tx, [...offered, ...fallen], actor);
  }

  /** Whatever a person has offered, to whichever merchant or to run the instance. @returns how many there were */
  async madeBy(tx: EntityManager, personId: string, actor: Actor): Promise<number> {
    const ended = await this.ends.end(tx, 'madeBy', personId);
    await this.record(tx, ended, actor);
    return ended.length;
  }

  private async record(tx: EntityManager, ended: readonly EndedInvitation[], actor: Actor): Promise<void> {
    for (const { email, merchantId, role, invitedBy } of ended) {
      const detail = { role, invitedBy };
      const change = { merchantId, action: 'invitation.withdrawn', subject: email, detail } as const;
      await this.audit.record(tx, actor, change);
    }
  }
}
