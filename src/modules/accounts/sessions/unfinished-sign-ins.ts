import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ScheduledJob } from '../../../platform/jobs/scheduled-job.js';
import { MailOutbox } from '../../../platform/mail/mail-outbox.js';
import { SecurityLog } from '../../../platform/observability/security-log.js';
import { type AccountSecurityEvent, NEWS_URL, type NewsUrl, type Origin } from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { FirstTimesRepository } from '../data/first-times.repository.js';
import { PersonLanguagesRepository } from '../data/person-languages.repository.js';
import { unfinishedLetter } from '../domain/letters.js';
import { hashToken, isToken } from '../domain/token.js';
import { type UnfinishedSignIn, UnfinishedSignInsRepository } from './data/unfinished-sign-ins.repository.js';
import { GUESSER_NAMES, TOLD } from './domain/guess-limits.js';

/** Whoever knows the password alone could fill the log, which is kept for ever; the security log counts each. */
const ENTRY_EVERY_S = 3_600;
/** The mail is for somebody to act on. */
const DAY_S = 86_400;
const EVERY_MS = 30_000;

/**
 * Right passwords in browsers that are not known, where a second factor is asked for. Nothing is opened by them, and nothing was
 * wrong with them: but where the second step does not follow, somebody may have found the password out. Each leaves a line and a count,
 * and one an hour an entry; one that stays unfinished is told to its person, once a day.
 */
@Injectable()
export class UnfinishedSignIns {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: UnfinishedSignInsRepository,
    private readonly security: SecurityLog<AccountSecurityEvent>,
    private readonly outbox: MailOutbox,
    private readonly audit: AuditLog,
    private readonly firstTimes: FirstTimesRepository,
    private readonly languages: PersonLanguagesRepository,
    @Inject(NEWS_URL) private readonly urlOf: NewsUrl,
  ) {}

  /** Under the person's lock. @param token of the session that awaits the second step */
  async begin(tx: EntityManager, personId: string, { ip, session }: Origin, token: string): Promise<void> {
    await this.rows.add(tx, { personId, ip }, hashToken(token), former(session));
    this.security.note('second-factor-asked', { account: personId, ip });
    if (!(await this.firstTimes.isFirst(tx, 'second-factor.asked', personId, ENTRY_EVERY_S))) return;
    await this.record(tx, { personId, ip }, 'second-factor.asked');
  }

  /** Its person is signed in. @param session what the browser's cookie held before */
  async finish(tx: EntityManager, personId: string, session: string | null | undefined): Promise<void> {
    const tokenHash = former(session);
    if (tokenHash) await this.rows.end(tx, tokenHash, personId);
  }

  /** @returns whether there was one that nobody can finish any more; there may be more */
  @ScheduledJob('unfinished-sign-ins', EVERY_MS)
  tellNext(): Promise<boolean> {
    return this.dataSource.transaction(async (tx) => {
      const one = await this.rows.take(tx);
      if (one && (await this.firstTimes.isFirst(tx, TOLD.unfinished, one.personId, DAY_S)))
        await this.tell(tx, one);
      return one !== null;
    });
  }

  private async tell(tx: EntityManager, one: UnfinishedSignIn): Promise<void> {
    const { personId, email, ip } = one;
    this.security.note('second-factor-missed', { account: personId, ip });
    await this.record(tx, one, 'second-factor.missed');
    const letter = unfinishedLetter(ip, this.urlOf('account'), await this.languages.of(tx, email));
    await this.outbox.tell(tx, { kind: 'second-factor.missed', of: 'subject' }, { to: email, ...letter });
  }

  private record(
    tx: EntityManager,
    { personId, ip }: Pick<UnfinishedSignIn, 'personId' | 'ip'>,
    action: 'second-factor.asked' | 'second-factor.missed',
  ): Promise<void> {
    const actor = { name: GUESSER_NAMES.stranger, personId, ip };
    return this.audit.record(tx, actor, { merchantId: null, action, subject: personId });
  }
}

/** Of a cookie that may be a session's. */
function former(session: string | null | undefined): Buffer | null {
  return session && isToken(session) ? hashToken(session) : null;
}
