import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor, Browser } from '../accounts.types.js';
import { FirstTimesRepository } from '../data/first-times.repository.js';
import { type LockedPerson, PeopleRepository } from '../data/people.repository.js';
import { ResetLinksRepository } from '../data/reset-links.repository.js';
import { UnfinishedSignInsRepository } from './data/unfinished-sign-ins.repository.js';
import { TOLD } from './domain/guess-limits.js';
import { GuessDelays } from './guess-delays.js';
import { InvitationEnds } from './invitation-ends.js';
import { SessionsService } from './sessions.service.js';

/**
 * Where what opens an account becomes something else: what follows from it is the same each time. Whoever was in by the old
 * is out, and so is whomever they invited: an invitation would let them in again for days.
 */
@Injectable()
export class CredentialChanges {
  constructor(
    private readonly people: PeopleRepository,
    private readonly resetLinks: ResetLinksRepository,
    private readonly sessions: SessionsService,
    private readonly invitations: InvitationEnds,
    private readonly delays: GuessDelays,
    private readonly unfinished: UnfinishedSignInsRepository,
    private readonly firstTimes: FirstTimesRepository,
  ) {}

  /**
   * Another password, or none. Links by which it could be set end too, and what was guessed of it keeps nobody waiting any
   * more. A first password is none of this (`PeopleRepository.register`). Where nobody is signed in who changes it, a second
   * factor that stays was not shown: what was guessed of its codes counts on, or each link would give the guesser more.
   * @param hash of the new one; `null`: nothing opens the account by password
   * @param keep the browser that changes it; `null`: it is nobody's who is signed in
   * @returns how many open invitations of theirs ended
   */
  async password(
    tx: EntityManager,
    { person, email }: { readonly person: LockedPerson; readonly email: string },
    hash: string | null,
    keep: Browser | null,
    actor: Actor,
  ): Promise<number> {
    await this.people.setPassword(tx, person, hash);
    await this.resetLinks.end(tx, email);
    await this.sessions.endElsewhere(tx, person, keep);
    await this.delays.forgetStrangers(tx, 'password', email);
    if (keep !== null || (await this.people.secondFactors(tx, person)) === 0)
      await this.forgiveCodes(tx, person);
    return this.invitations.madeBy(tx, person.id, actor);
  }

  /**
   * A second factor more, or one less; or other codes that stand for one.
   * @param keep the browser that makes the change
   * @returns how many open invitations of theirs ended
   * @throws AccountChanged where its session has ended meanwhile: then it makes none
   */
  async factor(tx: EntityManager, person: LockedPerson, keep: Browser, actor: Actor): Promise<number> {
    await this.sessions.endElsewhere(tx, person, keep);
    return this.invitations.madeBy(tx, person.id, actor);
  }

  /** Codes are asked only of whoever has the password. */
  private async forgiveCodes(tx: EntityManager, { id }: LockedPerson): Promise<void> {
    // Of whoever knew the old one there is nothing to tell any more; whoever knows the new one is told of anew.
    await this.unfinished.endAll(tx, id);
    for (const told of [TOLD.unfinished, TOLD.guessed('code', 'stranger')])
      await this.firstTimes.forget(tx, told, id);
    await this.delays.forgetStrangers(tx, 'code', id);
  }
}
