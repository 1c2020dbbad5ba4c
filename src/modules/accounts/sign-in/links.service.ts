import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError, notFound } from '../../../kernel/domain-error.js';
import {
  type Actor,
  type EndedMembership,
  type Invited,
  type LinkOffer,
  ONE_TIME_LINK_URL,
  type OneTimeLinkUrl,
  type Origin,
  PROVEN_BY_MAILBOX,
} from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { type LockedPerson, PeopleRepository } from '../data/people.repository.js';
import { ResetLinksRepository } from '../data/reset-links.repository.js';
import { checkedEmail, normalEmail } from '../domain/email.js';
import { hashOfChosen, refusedAsLast } from '../passwords/chosen-password.js';
import { type LinkRow, OneTimeLinksRepository } from '../people/data/one-time-links.repository.js';
import { OwnPasswordService } from '../people/own-password.service.js';
import { PeopleService } from '../people/people.service.js';
import { RefusedLinks } from '../people/refused-links.js';
import { SecondFactorsService } from '../second-factors/second-factors.service.js';
import { CredentialChanges } from '../sessions/credential-changes.js';
import { KnownDevicesRepository } from '../sessions/data/known-devices.repository.js';

/** Shorter than an invitation: it opens an account that exists. */
const RESET_HOURS = 24;

/** What goes with the password. */
export type Dropped = 'nothing' | 'second factors' | 'roles too';

/** What whoever makes a link to an account is told. */
export interface ResetLink extends Invited {
  readonly url: string;
  /** How many open invitations of that person ended, where their second factors were dropped. */
  readonly endedInvitations?: number;
  /** What they were to merchants and are no more: where their second factors were dropped and the address was never proved. */
  readonly endedMemberships?: readonly EndedMembership[];
}

/** Who holds a link and is not signed in. Looking at a link changes nothing: mail programs look at all of them. */
@Injectable()
export class LinksService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: PeopleRepository,
    private readonly people: PeopleService,
    private readonly password: OwnPasswordService,
    private readonly secondFactors: SecondFactorsService,
    private readonly changes: CredentialChanges,
    private readonly devices: KnownDevicesRepository,
    private readonly links: OneTimeLinksRepository,
    private readonly resetLinks: ResetLinksRepository,
    private readonly refusedLinks: RefusedLinks,
    private readonly audit: AuditLog,
    @Inject(ONE_TIME_LINK_URL) private readonly urlOf: OneTimeLinkUrl,
  ) {}

  /**
   * Of the links that were handed out for an account, the last alone is good. One that its person asked for stays: it went to
   * their mailbox and to nobody else.
   * @param dropped second factors for somebody who lost them: nothing opens the account until the link is taken, and then the new
   *   password alone. Roles too for somebody whose address another has an account of: what it joined without a proof ends
   * @throws DomainError `not-found` for an address without an account; `conflict` where second factors alone are to go and nobody
   *   has proved whose the account is
   */
  async reset(typed: string, actor: Actor, dropped: Dropped = 'nothing'): Promise<ResetLink> {
    const email = checkedEmail(typed);
    const found = await this.people.findByEmail(email);
    if (!found) throw notFound(`There is no account of ${email}.`);
    return this.dataSource.transaction(async (tx) => {
      // Of two that are made at the same moment, one is the last.
      const person = await this.accounts.lock(tx, found.id);
      await this.resetLinks.end(tx, email, 'replaced', 'inviter');
      const ended = dropped === 'nothing' ? {} : await this.drop(tx, { person, email }, dropped, actor);
      await this.audit.record(tx, actor, {
        merchantId: null,
        action: 'password.reset-offered',
        subject: person.id,
        detail: { email, dropSecondFactors: dropped !== 'nothing' },
      });
      const wanted = { kind: 'reset', email, deliveredTo: 'inviter', hours: RESET_HOURS } as const;
      const { token, expiresAt } = await this.links.make(tx, wanted, actor);
      return { email, expiresAt, url: this.urlOf(token), ...ended };
    });
  }

  /** Takes back all open links that set a password of this account, whoever asked for them. @returns whether there was one */
  async withdrawResets(typed: string, actor: Actor): Promise<boolean> {
    const email = normalEmail(typed);
    const person = await this.people.findByEmail(email);
    if (!person) return false;
    return this.dataSource.transaction(async (tx) => {
      await this.accounts.lock(tx, person.id);
      if ((await this.resetLinks.end(tx, email, 'withdrawn')) === 0) return false;
      await this.audit.record(tx, actor, {
        merchantId: null,
        action: 'password.reset-withdrawn',
        subject: person.id,
        detail: { email },
      });
      return true;
    });
  }

  /** `null` for what is unknown, used, or too old. */
  async look(token: string): Promise<LinkOffer | null> {
    const link = await this.links.find(token);
    if (!link) return null;
    const { kind, email, merchantName, role, isOperator } = link;
    return { kind, email, merchantName, role, isOperator, way: wayOf(link) };
  }

  /** The same for somebody who is not signed in. @throws DomainError `not-found` */
  offered(token: string, ip: string): Promise<LinkOffer> {
    return this.refusedLinks.noting(token, { who: null, ip }, async () => {
      const offer = await this.look(token);
      if (!offer) throw gone();
      return offer;
    });
  }

  /**
   * Uses the link up. After a reset nobody stays signed in. An invitation that its inviter has seen is answered alike
   * whether the address has an account or not: one that has waits there, and the link is spent.
   * @returns what the browser's long-lived cookie is to hold, where the link says that its holder is the person, so that no
   *   stranger's guesses of the password keep them out; `null` where it does not
   * @throws DomainError `not-found` for a link that is no good any more, `validation-error` for a weak password
   */
  take(token: string, password: string, origin: Origin): Promise<string | null> {
    const holder = { who: null, ip: origin.ip };
    return this.refusedLinks.noting(token, holder, () => this.taken(token, password, origin));
  }

  private async drop(
    tx: EntityManager,
    whose: { readonly person: LockedPerson; readonly email: string },
    dropped: Dropped,
    actor: Actor,
  ): Promise<Pick<ResetLink, 'endedInvitations' | 'endedMemberships'>> {
    // What they belong to before what they have offered, as where somebody is removed.
    const endedMemberships = await this.people.endUnproven(tx, whose, dropped === 'roles too', actor);
    return { endedInvitations: await this.secondFactors.forget(tx, whose, actor), endedMemberships };
  }

  private async taken(token: string, password: string, { ip, device }: Origin): Promise<string | null> {
    const offer = await this.look(token);
    if (!offer || offer.way === 'sign-in') throw gone();
    const { kind, email } = offer;
    const hash = await (kind === 'reset'
      ? this.password.hashOfNext(password, email)
      : hashOfChosen(password, email, namesIn(offer)));
    const isPresent = kind === 'reset' && (await this.password.isPresent(email, password));
    return this.dataSource.transaction(async (tx) => {
      // A person before the links of their address, here and wherever links end with a change: no two wait for each other.
      const person = await this.accounts.ensure(tx, email);
      const link = await this.links.find(token, tx);
      if (!link || wayOf(link) === 'sign-in') throw gone();
      // Said here alone, by a link that is still good and of a password that could be set: a wrong guess uses the link up and sets the
      // password, which is told. Said earlier, whoever has the mailbox could try passwords beside the counters of guesses.
      if (isPresent) throw refusedAsLast();
      const actor = { name: link.email, personId: person.id, ip };
      if (link.kind === 'reset') await this.takeReset(tx, link, person, hash, actor);
      else await this.takeInvitation(tx, link, person, hash, actor);
      // To an invitation that others have seen a cookie would tell whether there is an account.
      if (link.kind !== 'reset' && link.deliveredTo !== 'mailbox') return null;
      // A browser that is known for codes has some to guess of its own: with each reset a guesser would have another one.
      const awaitsSecondStep = (await this.accounts.secondFactors(tx, person)) > 0;
      return (await this.devices.remember(tx, person.id, device ?? null, awaitsSecondStep)).token;
    });
  }

  private async takeInvitation(
    tx: EntityManager,
    link: LinkRow,
    person: LockedPerson,
    hash: string,
    actor: Actor,
  ): Promise<void> {
    if (!(await this.accounts.register(tx, person, hash))) return this.links.spend(tx, link.id);
    if (link.deliveredTo === 'mailbox') await this.people.proveEmail(tx, person.id, PROVEN_BY_MAILBOX, actor);
    await this.links.end(tx, link.id, 'accepted');
    await this.people.takeOn(tx, person.id, link, actor);
  }

  private async takeReset(
    tx: EntityManager,
    link: LinkRow,
    person: LockedPerson,
    hash: string,
    actor: Actor,
  ): Promise<void> {
    await this.links.end(tx, link.id, 'accepted');
    await this.changes.password(tx, { person, email: link.email }, hash, null, actor);
    await this.audit.record(tx, actor, { merchantId: null, action: 'password.reset', subject: person.id });
  }
}

/** How a link is taken. One that its inviter has seen says the same of every address. */
function wayOf({ kind, deliveredTo, isRegistered }: LinkRow): LinkOffer['way'] {
  if (kind === 'reset') return 'password';
  if (kind === 'proof') return 'sign-in';
  if (deliveredTo === 'inviter') return 'either';
  return isRegistered ? 'sign-in' : 'password';
}

/** What the invitation names alone: by a refusal its inviter could see to whom else the address belongs. */
function namesIn({ merchantName }: LinkOffer): string[] {
  return merchantName === null ? [] : [merchantName];
}

function gone(): DomainError {
  return notFound('This link has been used or is too old. Ask for a new one.');
}
