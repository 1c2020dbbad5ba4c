import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { wrongField } from '../../../kernel/domain-error.js';
import type { Actor, Browser, SignedIn } from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { PeopleRepository } from '../data/people.repository.js';
import { checkedPassword, refusedAsPresent } from '../passwords/chosen-password.js';
import { normalPassword } from '../passwords/domain/password-policy.js';
import { hashPassword, isPassword } from '../passwords/password-hashing.js';
import { CredentialChanges } from '../sessions/credential-changes.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { Tries, tryingIn } from '../sessions/tries.js';

/** The password that a person has, and the next one. */
@Injectable()
export class OwnPasswordService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly people: PeopleRepository,
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
    const merchants = who.memberships.map(({ merchantName }) => merchantName);
    const hash = await hashPassword(await checkedPassword(next, email, merchants), email);
    return this.dataSource.transaction(async (tx) => {
      const locked = await this.people.lockAs(tx, personId, person.credentials);
      const changed = { person: locked, email };
      const endedInvitations = await this.changes.password(tx, changed, hash, here, actor);
      await this.audit.record(tx, actor, { merchantId: null, action: 'password.changed', subject: personId });
      return { token: await this.sessions.renew(tx, sessionId), endedInvitations };
    });
  }

  /** A link that sets a new password is no use for the old one. Whoever holds it may be guessing: it is said by `LinksService` last. */
  async isPresent(email: string, password: string): Promise<boolean> {
    const person = await this.people.findByEmail(email);
    return person !== null && isPassword(password, person.passwordHash, email);
  }
}
