import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { about, DomainError, notFound, wrongField } from '../../../kernel/domain-error.js';
import { MailOutbox } from '../../../platform/mail/mail-outbox.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import {
  type Actor,
  type Invitation,
  type Invited,
  ONE_TIME_LINK_URL,
  type OneTimeLinkUrl,
  type OpenInvitation,
  type PendingInvitation,
  PROVEN_BY_MAILBOX,
  ROLES,
  type SignedIn,
  STANDING_ALLOWS,
} from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { MembershipsRepository } from '../data/memberships.repository.js';
import { PeopleRepository } from '../data/people.repository.js';
import { PersonLanguagesRepository } from '../data/person-languages.repository.js';
import { checkedEmail, normalEmail } from '../domain/email.js';
import { invitationLetter } from '../domain/letters.js';
import { InvitationEnds } from '../sessions/invitation-ends.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { type LinkRow, OneTimeLinksRepository } from './data/one-time-links.repository.js';
import { flawOfInvitation } from './domain/invitation-limits.js';
import { PeopleService } from './people.service.js';
import { RefusedLinks } from './refused-links.js';

const INVITATION_HOURS = 72;

/**
 * Who is asked to join, and who has said yes. Nobody is added by another's word: an account takes a role on while it is
 * signed in, and only once its address was proved; somebody new takes it on by choosing a password.
 */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly merchants: MerchantsService,
    private readonly accounts: PeopleRepository,
    private readonly people: PeopleService,
    private readonly memberships: MembershipsRepository,
    private readonly links: OneTimeLinksRepository,
    private readonly ends: InvitationEnds,
    private readonly sessions: SessionsService,
    private readonly refusedLinks: RefusedLinks,
    private readonly outbox: MailOutbox,
    private readonly audit: AuditLog,
    private readonly languages: PersonLanguagesRepository,
    @Inject(ONE_TIME_LINK_URL) private readonly urlOf: OneTimeLinkUrl,
  ) {}

  /**
   * The answer is the same whether the address has an account or not. An earlier invitation of it ends: two could give
   * two roles.
   * @throws DomainError `validation-error`, `merchant-not-found`; `conflict` for somebody who belongs to the merchant, and
   *   for a merchant that is closed; `rate-limit-exceeded` after too many in a day; AccountChanged where the session in
   *   which it is made has ended meanwhile
   */
  invite(invitation: Invitation, actor: Actor): Promise<Invited> {
    return this.dataSource.transaction((tx) => this.inviteIn(tx, invitation, actor));
  }

  /** The same with the commit of `tx`. @throws DomainError like `invite` */
  async inviteIn(tx: EntityManager, invitation: Invitation, actor: Actor): Promise<Invited> {
    const email = checkedEmail(invitation.email);
    const { merchantId = null, isOperator = false, showLink = false } = invitation;
    const role = ROLES.find((one) => one === invitation.role) ?? null;
    // Whoever is asked says yes to what the letter and the pages name, and they name one thing: the table says it too.
    if (merchantId === null ? !isOperator : role === null || isOperator) {
      throw wrongField(
        'role',
        `Invite somebody as an operator, or as one of ${ROLES.join(', ')} of a merchant; not as both at once.`,
      );
    }
    await this.holdInviter(tx, actor);
    const merchant = merchantId === null ? null : await this.merchants.get(merchantId, tx);
    if (merchant && STANDING_ALLOWS[merchant.status] === 'nothing')
      throw new DomainError('conflict', 'conflict', 'This merchant is closed for good.');
    await this.keepPace(tx, email, merchantId, actor);
    if (merchantId !== null && (await this.memberships.isMember(tx, merchantId, email)))
      throw belongsAlready(email);
    await this.links.endInvitations(tx, merchantId, email, 'replaced');
    const deliveredTo = this.outbox.configured && !showLink ? 'mailbox' : 'inviter';
    const link = await this.links.make(
      tx,
      { kind: 'invitation', email, merchantId, role, isOperator, deliveredTo, hours: INVITATION_HOURS },
      actor,
    );
    const detail = { email, role, operator: isOperator, deliveredTo };
    await this.audit.record(tx, actor, { merchantId, action: 'person.invited', subject: email, detail });
    const { expiresAt } = link;
    const url = this.urlOf(link.token);
    if (deliveredTo === 'inviter') return { email, expiresAt, url };
    const told = { merchantName: merchant?.name ?? null, role, invitedBy: actor.name, expiresAt };
    const letter = invitationLetter(told, url, await this.languages.of(tx, email, actor.personId));
    const mailId = await this.outbox.addLink(tx, { to: email, ...letter });
    if (mailId === null) throw tooMany('This mailbox has got enough mail for a day. Try again tomorrow.');
    await this.links.mailedBy(tx, link.id, mailId);
    return { email, expiresAt, url: null };
  }

  /** Invitations that nobody has answered yet. @param merchantId `null`: those to run the instance */
  open(merchantId: string | null): Promise<OpenInvitation[]> {
    return this.links.openTo(merchantId);
  }

  /**
   * Takes back all open invitations of an address.
   * @param merchantId to this one; `null`: to run the instance
   * @returns whether there was one
   */
  async withdraw(merchantId: string | null, typed: string, actor: Actor): Promise<boolean> {
    const email = normalEmail(typed);
    return this.dataSource.transaction(async (tx) => {
      if ((await this.links.endInvitations(tx, merchantId, email, 'withdrawn')) === 0) return false;
      await this.audit.record(tx, actor, { merchantId, action: 'invitation.withdrawn', subject: email });
      return true;
    });
  }

  /**
   * After a change of who may invite, with the commit of `tx`: what somebody offered who could not offer it any more has
   * ended, and is no way back in. What they offer at the same moment is refused when it is taken.
   */
  async endFallen(tx: EntityManager, merchantId: string, actor: Actor): Promise<void> {
    await this.ends.fallenAt(tx, merchantId, actor);
  }

  /** What somebody is asked to join. Nothing is told to an account whose address may be another's. */
  async pending(who: SignedIn): Promise<PendingInvitation[]> {
    if (!who.isEmailProven) return [];
    return (await this.links.invitationsOf(who.email)).map(pendingOf);
  }

  /** What the link in one's mailbox offers. @throws DomainError `not-found`, also for what was sent to another address */
  offered(who: SignedIn, token: string, ip: string | null): Promise<PendingInvitation> {
    return this.refusedLinks.noting(token, { who, ip }, async () => {
      const link = await this.links.find(token);
      if (link?.kind !== 'invitation' || link.email !== who.email || !isShownTo(who, link)) throw gone();
      return pendingOf(link);
    });
  }

  /** By whoever is signed in, from the list. @throws DomainError `not-found`; `conflict` while the address is not proved */
  accept(who: SignedIn, id: string, actor: Actor): Promise<PendingInvitation> {
    return this.answer(who, actor, async (tx) => {
      const link = (await this.links.invitationsOf(who.email, tx)).find((one) => one.id === id);
      if (!who.isEmailProven) throw notProven();
      if (!link) throw gone();
      return link;
    });
  }

  /** By whoever is signed in and holds the link that went to the mailbox alone: that proves the address. */
  acceptByLink(who: SignedIn, token: string, actor: Actor): Promise<PendingInvitation> {
    const find = async (tx: EntityManager) => {
      const link = await this.links.find(token, tx);
      if (link?.kind !== 'invitation' || link.email !== who.email) throw gone();
      if (link.deliveredTo === 'mailbox')
        await this.people.proveEmail(tx, who.personId, PROVEN_BY_MAILBOX, actor);
      else if (!who.isEmailProven) throw notProven();
      return link;
    };
    return this.refusedLinks.noting(token, { who, ip: actor.ip }, () => this.answer(who, actor, find));
  }

  /** @throws DomainError `not-found` */
  async decline(who: SignedIn, id: string, actor: Actor): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const link = (await this.links.invitationsOf(who.email, tx)).find((one) => one.id === id);
      if (!link || !who.isEmailProven) throw gone();
      await this.links.end(tx, link.id, 'declined');
      const { merchantId, role } = link;
      const detail = { email: who.email, role };
      await this.audit.record(tx, actor, {
        merchantId,
        action: 'invitation.declined',
        subject: who.personId,
        detail,
      });
    });
  }

  private answer(
    who: SignedIn,
    actor: Actor,
    find: (tx: EntityManager) => Promise<LinkRow>,
  ): Promise<PendingInvitation> {
    return this.dataSource.transaction(async (tx) => {
      await this.accounts.lock(tx, who.personId);
      const link = await find(tx);
      await this.links.end(tx, link.id, 'accepted');
      await this.people.takeOn(tx, who.personId, link, actor);
      return pendingOf(link);
    });
  }

  /** What ends the inviter's session ends what they have offered: what they offer at that moment is none. */
  private async holdInviter(tx: EntityManager, { personId, session }: Actor): Promise<void> {
    if (personId !== null && session) await this.sessions.hold(tx, { personId, sessionId: session.id });
  }

  /** The command line is not counted: who has it can write to the database. */
  private async keepPace(
    tx: EntityManager,
    email: string,
    merchantId: string | null,
    { personId }: Actor,
  ): Promise<void> {
    if (personId === null) return;
    const flaw = flawOfInvitation(await this.links.recentInvitations(tx, personId, merchantId, email));
    if (flaw !== null) throw tooMany(flaw);
  }
}

/** A link that the inviter has seen shows nothing to an account whose address may be another's. */
function isShownTo(who: SignedIn, link: LinkRow): boolean {
  return who.isEmailProven || link.deliveredTo === 'mailbox';
}

function pendingOf({ id, merchantName, role, invitedBy, expiresAt }: LinkRow): PendingInvitation {
  return { id, merchantName, role, invitedBy, expiresAt };
}

function notProven(): DomainError {
  const text = 'It has not been proved that this address is yours. Prove it first, then accept.';
  return new DomainError('conflict', 'conflict', text);
}

function tooMany(text: string): DomainError {
  return new DomainError('throttled', 'rate-limit-exceeded', text, { headers: { 'Retry-After': '3600' } });
}

function belongsAlready(email: string): DomainError {
  const text = `${email} belongs to this merchant already.`;
  return new DomainError('conflict', 'conflict', text, about('email', text));
}

function gone(): DomainError {
  return notFound('This invitation is not open any more, or is for another account.');
}
