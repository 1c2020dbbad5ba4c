import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { wrongField } from '../../../kernel/domain-error.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import type { Actor, Browser, SignedIn } from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { MembershipsRepository } from '../data/memberships.repository.js';
import { PeopleRepository } from '../data/people.repository.js';
import { hashOfChosen, refusedAsPresent } from '../passwords/chosen-password.js';
import { normalPassword } from '../passwords/domain/password-policy.js';
import { isPassword } from '../passwords/password-hashing.js';
import { CredentialChanges } from '../sessions/credential-changes.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { Tries, tryingIn } from '../sessions/tries.js';

/** The password that a person has, and the next one. */
@Injectable()
export class OwnPasswordService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly people: PeopleRepository,
    private readonly memberships: MembershipsRepository,
    private readonly merchants: MerchantsService,
    private readonly sessions: SessionsService,
    private readonly tries: Tries,
    private readonly changes: CredentialChanges,
    private readonly audit: AuditLog,
  ) {}

  /**
   * A new password instead of the present one; every other session ends, and only this browser stays known.
   * @param here this browser
   * @returns what this session's cookie is to hold from now on, and how many open invitations of theirs ended
   * @throws DomainError `validation-error` for a wrong present or a weak new one, `rate-limit-exceeded` while the
   *   account has to wait: a taken session is no way around the delays; AccountChanged where another change was quicker
   */
  async change(
    who: SignedIn,
    { present, next }: { readonly present: string; readonly next: string },
    actor: Actor,
    here: Browser,
  ): Promise<{ readonly token: string; readonly endedInvitations: number }> {
    const { personId, email, sessionId } = who;
    const person = await this.tries.at('password', email, tryingIn(who, actor.ip), async () => {
      const found = await this.people.findByEmail(email);
      return (await isPassword(present, found?.passwordHash ?? null, email)) ? found : null;
    });
    if (!person) throw wrongField('present', 'The present password is not right.');
    if (normalPassword(present) === normalPassword(next)) throw refusedAsPresent();
    const hash = await this.hashOfNext(next, email);
    const change = () =>
      this.dataSource.transaction(async (tx) => {
        const locked = await this.people.lockAs(tx, personId, person.credentials);
        const changed = { person: locked, email };
        const endedInvitations = await this.changes.password(tx, changed, hash, here, actor);
        await this.audit.record(tx, actor, {
          merchantId: null,
          action: 'password.changed',
          subject: personId,
        });
        return { token: await this.sessions.renew(tx, sessionId), endedInvitations };
      });
    return this.tries.proven(tryingIn(who, actor.ip), change);
  }

  /**
   * Another password for an account, judged with the names of its merchants, as whoever guesses it may know them.
   * @returns its hash @throws DomainError `validation-error` for a weak one
   */
  async hashOfNext(password: string, email: string): Promise<string> {
    const names: string[] = [];
    for (const id of await this.memberships.merchantsOf(email))
      names.push((await this.merchants.get(id)).name);
    return hashOfChosen(password, email, names);
  }

  /**
   * A link that sets a new password is no use for the last one, which may be stolen. Whoever holds it may be guessing:
   * `LinksService` says it last.
   */
  async isPresent(email: string, password: string): Promise<boolean> {
    const person = await this.people.findByEmail(email);
    return person !== null && isPassword(password, person.lastHash, email);
  }
}
