import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { MailOutbox } from '../../../platform/mail/mail-outbox.js';
import { SecurityLog } from '../../../platform/observability/security-log.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { PeopleRepository } from '../data/people.repository.js';
import { TOLD_FROM, type Guessed } from './domain/guess-limits.js';
import { guessedLetter } from '../domain/letters.js';
import type { Guess } from './guess-delays.js';

export interface Guessing {
  /** `null` for an address without an account. */
  readonly personId: string | null;
  readonly email: string;
  /** Of whoever guesses. */
  readonly address: string | null;
}

/** What wrong tries leave behind: a line, a count, and a word to the person when strangers go on and on. */
@Injectable()
export class GuessNews {
  constructor(
    private readonly dataSource: DataSource,
    private readonly people: PeopleRepository,
    private readonly security: SecurityLog,
    private readonly outbox: MailOutbox,
    private readonly audit: AuditLog,
  ) {}

  async wrong(guessed: Guessed, { byStrangers }: Guess, guessing: Guessing): Promise<void> {
    const { personId, email, address } = guessing;
    this.security.note('sign-in-failed', { account: personId ?? email, ip: address, why: guessed });
    if (personId === null || byStrangers < TOLD_FROM[guessed]) return;
    await this.dataSource.transaction(async (tx) => {
      if (!(await this.people.tellOfGuesses(tx, personId))) return;
      this.security.note('account-guessed-at', { account: personId, ip: address, why: guessed });
      const actor = { name: 'a stranger', personId, address };
      await this.audit.record(tx, actor, {
        merchantId: null,
        action: 'account.guessed-at',
        subject: personId,
        detail: { guessed, tries: byStrangers },
      });
      await this.outbox.add(tx, { to: email, ...guessedLetter(guessed, address) });
    });
  }
}
