import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PeopleRepository } from '../data/people.repository.js';
import { ResetLinksRepository } from '../data/reset-links.repository.js';
import { GuessDelays } from './guess-delays.js';
import { type Browser, SessionsService } from './sessions.service.js';

/** Where a password that somebody has becomes another, or none: what follows from it is the same each time. */
@Injectable()
export class PasswordChanges {
  constructor(
    private readonly people: PeopleRepository,
    private readonly resetLinks: ResetLinksRepository,
    private readonly sessions: SessionsService,
    private readonly delays: GuessDelays,
  ) {}

  /**
   * Whoever knew the old password is out, or holds a link by which it could be set, and what was guessed of it keeps nobody
   * waiting any more. A first password is none of this (`PeopleRepository.register`).
   * @param hash of the new one; `null`: nothing opens the account by password
   * @param keep the browser that changes it; `null`: it is nobody's who is signed in
   */
  async change(
    tx: EntityManager,
    { id, email }: { readonly id: string; readonly email: string },
    hash: string | null,
    keep: Browser | null,
  ): Promise<void> {
    await this.people.setPassword(tx, id, hash);
    await this.resetLinks.end(tx, email);
    await this.sessions.endElsewhere(tx, id, keep);
    await this.delays.forgetStrangers(tx, 'password', email);
    // Codes are asked only of whoever has the password.
    await this.delays.forgetStrangers(tx, 'code', id);
  }
}
