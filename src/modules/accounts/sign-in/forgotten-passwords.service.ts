import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../../kernel/domain-error.js';
import { ScheduledJob } from '../../../platform/jobs/scheduled-job.js';
import { MailOutbox } from '../../../platform/mail/mail-outbox.js';
import { ONE_TIME_LINK_URL, type OneTimeLinkUrl } from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { PeopleRepository } from '../data/people.repository.js';
import { PersonLanguagesRepository } from '../data/person-languages.repository.js';
import { checkedEmail } from '../domain/email.js';
import { resetLetter } from '../domain/letters.js';
import { OneTimeLinksRepository } from '../people/data/one-time-links.repository.js';
import { type PasswordRequest, PasswordRequestsRepository } from './data/password-requests.repository.js';

/** Whoever asked sits before the page; what lies in a mailbox longer waits for somebody else. */
const RESET_HOURS = 1;
/** Of one account in 24 hours, whoever asks: more would be a flood that a stranger makes us send. */
const RESETS_PER_DAY = 5;
/** Together with the mail's own turn it takes some seconds; nobody's mailbox is faster. */
const EVERY_MS = 2_000;

/**
 * A new password by oneself, by a link in the mailbox. To ask is to leave a row, for everybody alike; who it was is looked
 * up afterwards, so that nothing that the one who asks can see or measure tells whether there is an account (ADR 64).
 */
@Injectable()
export class ForgottenPasswords {
  constructor(
    private readonly dataSource: DataSource,
    private readonly requests: PasswordRequestsRepository,
    private readonly people: PeopleRepository,
    private readonly links: OneTimeLinksRepository,
    private readonly outbox: MailOutbox,
    private readonly audit: AuditLog,
    private readonly languages: PersonLanguagesRepository,
    @Inject(ONE_TIME_LINK_URL) private readonly urlOf: OneTimeLinkUrl,
  ) {}

  /** Without mail only whoever runs the service can make a link. */
  get canMail(): boolean {
    return this.outbox.configured;
  }

  /** @throws DomainError `validation-error` for what is no address, `conflict` without mail */
  async ask(typed: string, ip: string): Promise<void> {
    const email = checkedEmail(typed);
    if (!this.canMail)
      throw new DomainError(
        'conflict',
        'conflict',
        'This service sends no mail. Ask whoever runs it for a link.',
      );
    await this.requests.add({ email, ip });
  }

  /** @returns whether there was one; there may be more */
  @ScheduledJob('forgotten-passwords', EVERY_MS)
  async answerNext(): Promise<boolean> {
    if (!this.canMail) return false;
    return this.dataSource.transaction(async (tx) => {
      const request = await this.requests.take(tx);
      if (request) await this.answer(tx, request);
      return request !== null;
    });
  }

  /**
   * Nothing for an address without an account: an invitation that waits for it is a link of its own. No open link ends: a
   * stranger may ask, and would take from the person what they were given, or have just been mailed.
   */
  private async answer(tx: EntityManager, { email, ip }: PasswordRequest): Promise<void> {
    const person = await this.people.registered(tx, email);
    if (!person) return;
    const actor = { name: 'sign-in page', personId: null, ip };
    if ((await this.links.recentMailedResets(tx, email)) >= RESETS_PER_DAY) return;
    const wanted = { kind: 'reset', email, deliveredTo: 'mailbox', hours: RESET_HOURS } as const;
    const { token, expiresAt } = await this.links.make(tx, wanted, actor);
    const language = await this.languages.of(tx, email);
    const letter = resetLetter({ url: this.urlOf(token), expiresAt, ip }, language);
    await this.outbox.addLink(tx, { to: email, ...letter });
    const change = {
      merchantId: null,
      action: 'password.reset-asked',
      subject: person,
      detail: { email },
    } as const;
    await this.audit.record(tx, actor, change);
  }
}
