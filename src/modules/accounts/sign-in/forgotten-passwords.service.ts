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
import { Tries, type Trying } from '../sessions/tries.js';
import { type PasswordRequest, PasswordRequestsRepository } from './data/password-requests.repository.js';

/** Whoever asked sits before the page; what lies in a mailbox longer waits for somebody else. */
const RESET_HOURS = 1;
/**
 * Of one account in 24 hours, whoever asks; then one whenever none of them is open any more, which is one an hour. So whoever
 * asks has a link that opens the account, and strangers who ask all day bring about 28 a day: with five invitations and five
 * proofs they have room in what one mailbox takes (`MailOutbox.addLink`).
 */
const RESETS_AT_ONCE = 5;
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
    private readonly tries: Tries,
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
    const answered = await this.dataSource.transaction(async (tx) => {
      const request = await this.requests.take(tx);
      return request && { refused: await this.answer(tx, request) };
    });
    if (answered?.refused) this.tries.throttled(answered.refused, 'reset');
    return answered !== null;
  }

  /**
   * Nothing for an address without an account: an invitation that waits for it is a link of its own. No open link ends: a
   * stranger may ask, and would take from the person what they were given, or have just been mailed.
   * @returns who is sent nothing although they have an account; `null` for everybody else
   */
  private async answer(tx: EntityManager, { email, ip }: PasswordRequest): Promise<Trying | null> {
    const person = await this.people.registered(tx, email);
    if (!person) return null;
    const { recent, isOneOpen } = await this.links.mailedResets(tx, email);
    const isEnough = recent >= RESETS_AT_ONCE && isOneOpen;
    if (!isEnough && (await this.mail(tx, { person, email, ip }))) return null;
    return { personId: person, email, ip, guesser: { kind: 'stranger', id: '' } };
  }

  /** @returns `false` where the mailbox has had enough of all links for a day: then there is no link either */
  private async mail(
    tx: EntityManager,
    { person, email, ip }: PasswordRequest & { readonly person: string },
  ): Promise<boolean> {
    const actor = { name: 'sign-in page', personId: null, ip };
    const wanted = { kind: 'reset', email, deliveredTo: 'mailbox', hours: RESET_HOURS } as const;
    const { id, token, expiresAt } = await this.links.make(tx, wanted, actor);
    const language = await this.languages.of(tx, email);
    const letter = resetLetter({ url: this.urlOf(token), expiresAt, ip }, language);
    if ((await this.outbox.addLink(tx, { to: email, ...letter })) === null) {
      await this.links.discard(tx, id);
      return false;
    }
    const change = {
      merchantId: null,
      action: 'password.reset-asked',
      subject: person,
      detail: { email },
    } as const;
    await this.audit.record(tx, actor, change);
    return true;
  }
}
