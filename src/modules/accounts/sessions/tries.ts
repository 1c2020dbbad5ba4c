import { Inject, Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError, type ErrorKind } from '../../../kernel/domain-error.js';
import { MailOutbox } from '../../../platform/mail/mail-outbox.js';
import { SecurityLog } from '../../../platform/observability/security-log.js';
import { AccountChanged, NoPlace } from '../accounts.errors.js';
import { type AccountSecurityEvent, NEWS_URL, type NewsUrl, type SignedIn } from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { WriteBehind } from '../audit/write-behind.js';
import { FirstTimesRepository } from '../data/first-times.repository.js';
import { PersonLanguagesRepository } from '../data/person-languages.repository.js';
import { guessedLetter } from '../domain/letters.js';
import { type Guessed, type Guesser, GUESSER_NAMES, TOLD, TOLD_FROM } from './domain/guess-limits.js';
import { type Guess, GuessDelays } from './guess-delays.js';

/** The mail is for somebody to act on. */
const DAY_S = 86_400;

/**
 * What was tried; `pace`: a sign-in that came too soon, whatever it held; `reset`: a link for a new password, by mail;
 * `changed`: what was right and is not any more.
 */
type Tried = Guessed | 'passkey' | 'pace' | 'reset' | 'changed';

/** How each is refused. Whatever else is thrown, as in an outage, says nothing of who tries. */
const REFUSED_AS = {
  'sign-in-failed': 'invalid',
  'sign-in-throttled': 'throttled',
} as const satisfies Partial<Record<AccountSecurityEvent, ErrorKind>>;
type Refusal = keyof typeof REFUSED_AS;

/** Who tries to be somebody. */
export interface Trying {
  /** `null` for an address without an account. */
  readonly personId: string | null;
  /** `null` where nobody said whose account it is. */
  readonly email: string | null;
  readonly ip: string | null;
  readonly guesser: Guesser;
}

/** Somebody in a session of the account, which may be taken. */
export function tryingIn({ personId, email, sessionId }: SignedIn, ip: string | null): Trying {
  return { personId, email, ip, guesser: { kind: 'session', id: sessionId } };
}

/**
 * Tries at what opens an account. Each that is wrong, or comes before its time, leaves a line and a count; where there is
 * an account an entry in its log; and a word to its person when it goes on and on. One that could not be looked at is none; where
 * that was for want of a place, it is noted as one that came too soon. Nobody waits for what is written of it: the answer takes
 * as long where there is no account to write about.
 */
@Injectable()
export class Tries {
  private readonly logger = new Logger(Tries.name);

  constructor(
    private readonly delays: GuessDelays,
    private readonly security: SecurityLog<AccountSecurityEvent>,
    private readonly outbox: MailOutbox,
    private readonly audit: AuditLog,
    private readonly later: WriteBehind,
    private readonly firstTimes: FirstTimesRepository,
    private readonly languages: PersonLanguagesRepository,
    @Inject(NEWS_URL) private readonly urlOf: NewsUrl,
  ) {}

  /**
   * One try, counted before it is looked at.
   * @param account under which it is counted: an e-mail address or id, known to us or not
   * @param look at what was sent; `null` or a DomainError `validation-error` for what is wrong
   * @throws DomainError `rate-limit-exceeded` while this guesser, or every stranger, has to wait; what `look` throws
   */
  async at<Found>(
    guessed: Guessed,
    account: string,
    trying: Trying,
    look: () => Promise<Found | null>,
  ): Promise<Found | null> {
    const guess = await this.noting('sign-in-throttled', guessed, trying, () =>
      this.delays.count(guessed, account, trying.guesser),
    );
    let found: Found | null;
    try {
      found = await look();
    } catch (error) {
      if (isRefusal('sign-in-failed', error)) this.wrong(guessed, guess, trying);
      // It may be the database that failed: then the count stays, and what is told is the first error.
      else await guess.undo().catch(() => undefined);
      if (error instanceof NoPlace) this.throttled(trying, guessed);
      throw error;
    }
    if (found === null) this.wrong(guessed, guess, trying);
    // It is done and answered, and codes for a lost phone may be in that answer alone; the count only makes somebody wait.
    else await guess.forgive().catch((error: unknown) => this.notForgiven(error));
    return found;
  }

  /** A passkey's answer: it is signed, so nobody guesses it, and nobody waits. @throws what `look` throws */
  passkey<Found>(trying: Trying, look: () => Promise<Found>): Promise<Found> {
    return this.noting('sign-in-failed', 'passkey', trying, look);
  }

  /**
   * What follows from something that was right. Where the account became another one meanwhile it is no guess, and nobody waits for
   * it: but whoever brought it had what opened the account.
   * @throws what `use` throws
   */
  async proven<Used>(trying: Trying, use: () => Promise<Used>): Promise<Used> {
    try {
      return await use();
    } catch (error) {
      if (error instanceof AccountChanged) this.note('sign-in-failed', 'changed', trying);
      throw error;
    }
  }

  /** One that is refused before it is looked at, by whatever keeps count. */
  throttled(trying: Trying, tried: Tried): void {
    this.note('sign-in-throttled', tried, trying);
  }

  private async noting<Found>(
    event: Refusal,
    why: Tried,
    trying: Trying,
    work: () => Promise<Found>,
  ): Promise<Found> {
    try {
      return await work();
    } catch (error) {
      if (isRefusal(event, error)) this.note(event, why, trying);
      throw error;
    }
  }

  private notForgiven(error: unknown): void {
    this.logger.error({ err: error }, 'what was right counts on as a wrong try');
  }

  private note(event: Refusal, why: Tried, { personId, email, ip, guesser: { kind } }: Trying): void {
    this.security.note(event, { account: personId, typed: email, ip, why });
    if (personId === null) return;
    const action = event === 'sign-in-failed' ? 'sign-in.failed' : 'sign-in.throttled';
    const actor = { name: GUESSER_NAMES[kind], personId, ip };
    this.audit.refused(actor, { merchantId: null, action, subject: personId, why });
  }

  private wrong(guessed: Guessed, { tries }: Guess, trying: Trying): void {
    this.note('sign-in-failed', guessed, trying);
    const { personId, email, ip } = trying;
    const { kind } = trying.guesser;
    if (personId === null || email === null || tries < TOLD_FROM[kind][guessed]) return;
    const person = { personId, email, ip };
    const what = `account.guessed-at:${guessed}:${kind}:${personId}`;
    this.later.add(what, (tx) => this.tell(tx, guessed, kind, person, tries));
  }

  private async tell(
    tx: EntityManager,
    guessed: Guessed,
    by: Guesser['kind'],
    {
      personId,
      email,
      ip,
    }: { readonly personId: string; readonly email: string; readonly ip: string | null },
    tries: number,
  ): Promise<void> {
    if (!(await this.firstTimes.isFirst(tx, TOLD.guessed(guessed, by), personId, DAY_S))) return;
    this.security.note('account-guessed-at', { account: personId, ip, why: guessed });
    await this.audit.record(
      tx,
      { name: GUESSER_NAMES[by], personId, ip },
      { merchantId: null, action: 'account.guessed-at', subject: personId, detail: { guessed, tries } },
    );
    const language = await this.languages.of(tx, email);
    const letter = guessedLetter({ guessed, by, ip }, this.urlOf('account'), language);
    await this.outbox.tell(
      tx,
      { kind: 'account.guessed-at', of: `${guessed}:${by}` },
      { to: email, ...letter },
    );
  }
}

function isRefusal(event: Refusal, error: unknown): boolean {
  return error instanceof DomainError && error.kind === REFUSED_AS[event];
}
