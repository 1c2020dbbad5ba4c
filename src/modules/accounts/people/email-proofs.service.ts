import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError, notFound } from '../../../kernel/domain-error.js';
import { MailOutbox } from '../../../platform/mail/mail-outbox.js';
import {
  type Actor,
  ONE_TIME_LINK_URL,
  type OneTimeLinkUrl,
  PROVEN_BY_MAILBOX,
  type SignedIn,
} from '../accounts.types.js';
import { PeopleRepository } from '../data/people.repository.js';
import { PersonLanguagesRepository } from '../data/person-languages.repository.js';
import { checkedEmail } from '../domain/email.js';
import { proofLetter } from '../domain/letters.js';
import { OneTimeLinksRepository } from './data/one-time-links.repository.js';
import { PeopleService } from './people.service.js';
import { RefusedLinks } from './refused-links.js';

const PROOF_HOURS = 24;
/** Of one account in 24 hours. */
const PROOFS_PER_DAY = 5;

/** That an account's address is its person's: by a link in the mailbox, or by the word of whoever runs the instance. */
@Injectable()
export class EmailProofs {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: PeopleRepository,
    private readonly people: PeopleService,
    private readonly links: OneTimeLinksRepository,
    private readonly refusedLinks: RefusedLinks,
    private readonly outbox: MailOutbox,
    private readonly languages: PersonLanguagesRepository,
    @Inject(ONE_TIME_LINK_URL) private readonly urlOf: OneTimeLinkUrl,
  ) {}

  /** Without mail only the operator can say so. */
  get canMail(): boolean {
    return this.outbox.configured;
  }

  /** @throws DomainError `conflict` without mail or after the proof, `rate-limit-exceeded` after too many in a day */
  async ask(who: SignedIn, actor: Actor): Promise<void> {
    if (!this.canMail || who.isEmailProven)
      throw new DomainError('conflict', 'conflict', 'There is nothing to prove by mail.');
    await this.dataSource.transaction(async (tx) => {
      await this.accounts.lock(tx, who.personId);
      const recent = await this.links.recentProofs(tx, who.email);
      const wanted = { kind: 'proof', email: who.email, deliveredTo: 'mailbox', hours: PROOF_HOURS } as const;
      const { token, expiresAt } = await this.links.make(tx, wanted, actor);
      const url = this.urlOf(token);
      const isFull = recent >= PROOFS_PER_DAY;
      const letter = proofLetter(url, expiresAt, await this.languages.of(tx, who.email));
      if (isFull || !(await this.outbox.addLink(tx, { to: who.email, ...letter }))) {
        const text = 'Enough such mails for a day. Look into the mailbox, or try again tomorrow.';
        throw new DomainError('throttled', 'rate-limit-exceeded', text);
      }
    });
  }

  /** By whoever is signed in and holds the link that went to the mailbox. @throws DomainError `not-found` */
  async prove(who: SignedIn, token: string, actor: Actor): Promise<void> {
    await this.refusedLinks.noting(token, { who, ip: actor.ip }, () =>
      this.dataSource.transaction(async (tx) => {
        // A person before their links, as wherever links end with a change: no two wait for each other.
        await this.accounts.lock(tx, who.personId);
        const link = await this.links.find(token, tx);
        if (link?.kind !== 'proof' || link.email !== who.email)
          throw notFound('This link is too old, or is for another account.');
        await this.links.end(tx, link.id, 'accepted');
        await this.people.proveEmail(tx, who.personId, PROVEN_BY_MAILBOX, actor);
      }),
    );
  }

  /** The operator's word, after making sure whose account it is. @throws DomainError `not-found` without an account */
  async vouch(typed: string, actor: Actor): Promise<{ email: string }> {
    const email = checkedEmail(typed);
    const person = await this.people.findByEmail(email);
    if (!person) throw notFound(`There is no account of ${email}.`);
    await this.dataSource.transaction((tx) => this.people.proveEmail(tx, person.id, actor.name, actor));
    return { email };
  }
}
