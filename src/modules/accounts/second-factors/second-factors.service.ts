import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { base32nopad } from '@scure/base';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../../kernel/domain-error.js';
import { SecretBox } from '../../../platform/secret-box.js';
import type { Actor, SignedIn } from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { stepOfCode, totpUri } from './domain/totp.js';
import type { Guesser } from '../sessions/domain/guess-limits.js';
import { GuessDelays } from '../sessions/guess-delays.js';
import { GuessNews } from '../sessions/guess-news.js';
import { RecoveryCodes } from './recovery-codes.js';
import { SessionsService } from '../sessions/sessions.service.js';

/** RFC 4226 advises the length of its hash. */
const SECRET_BYTES = 20;

/** What an authenticator has to be told. */
export interface TotpSecret {
  readonly base32: string;
  readonly uri: string;
}

/** Codes of an authenticator (RFC 6238), and recovery codes in their place. */
@Injectable()
export class SecondFactorsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly box: SecretBox,
    private readonly sessions: SessionsService,
    private readonly delays: GuessDelays,
    private readonly news: GuessNews,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly audit: AuditLog,
  ) {}

  /** "Later": they are asked again in some days. */
  async decline(who: SignedIn): Promise<void> {
    await this.dataSource.query('UPDATE person SET factor_declined_at = clock_timestamp() WHERE id = $1', [
      who.personId,
    ]);
  }

  /** A new secret, which counts only once a code of it was typed. @throws DomainError `conflict` while one is on */
  async begin(who: SignedIn): Promise<void> {
    const secret = base32nopad.encode(randomBytes(SECRET_BYTES));
    const [begun] = await this.dataSource.query<[unknown[], number]>(
      'UPDATE person SET totp_secret = $2, totp_last_step = 0 WHERE id = $1 AND totp_enabled_at IS NULL RETURNING id',
      [who.personId, this.box.seal(secret, placeOf(who.personId))],
    );
    if (begun.length === 0)
      throw new DomainError('conflict', 'conflict', 'Codes are on already. Turn them off first.');
  }

  /** The secret that awaits its first code. One that is on is never shown again. */
  async pending(who: SignedIn): Promise<TotpSecret | null> {
    const [row] = await this.dataSource.query<{ secret: string | null }[]>(
      'SELECT totp_secret AS secret FROM person WHERE id = $1 AND totp_enabled_at IS NULL',
      [who.personId],
    );
    if (!row?.secret) return null;
    const base32 = this.box.open(row.secret, placeOf(who.personId));
    return { base32, uri: totpUri(base32, who.email, 'Rappen') };
  }

  /**
   * Turns codes on; every other session ends.
   * @returns recovery codes, this once, with the first second factor; else `null`
   * @throws DomainError `validation-error` for a wrong code
   */
  async enable(who: SignedIn, code: string, actor: Actor): Promise<string[] | null> {
    const guess = await this.delays.count('code', who.personId, { kind: 'session', id: who.sessionId });
    const codes = await this.dataSource.transaction(async (tx) => {
      await this.spend(tx, who.personId, code, false);
      await tx.query('UPDATE person SET totp_enabled_at = clock_timestamp() WHERE id = $1', [who.personId]);
      await this.sessions.revokeAll(tx, who.personId, who.sessionId);
      await this.audit.record(tx, actor, {
        merchantId: null,
        action: 'codes.enabled',
        subject: who.personId,
      });
      return this.recoveryCodes.ensure(tx, who.personId);
    });
    await guess.forgive();
    return codes;
  }

  /** Every other session ends. */
  async disable(who: SignedIn, actor: Actor): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      await tx.query('UPDATE person SET totp_secret = NULL, totp_enabled_at = NULL WHERE id = $1', [
        who.personId,
      ]);
      await this.recoveryCodes.dropWithout(tx, who.personId);
      await this.sessions.revokeAll(tx, who.personId, who.sessionId);
      await this.audit.record(tx, actor, {
        merchantId: null,
        action: 'codes.disabled',
        subject: who.personId,
      });
    });
  }

  /**
   * A code of the authenticator or a recovery code, each good for once.
   * @throws DomainError `validation-error` for a wrong or spent one, `rate-limit-exceeded` while the account has to wait
   */
  async prove(personId: string, code: string, guesser: Guesser, actor: Actor): Promise<void> {
    const guess = await this.delays.count('code', personId, guesser);
    try {
      await this.dataSource.transaction(async (tx) => {
        if (!(await this.recoveryCodes.spend(tx, personId, code, actor)))
          await this.spend(tx, personId, code, true);
      });
    } catch (error) {
      await this.news.wrong('code', guess, { personId, email: actor.name, address: actor.address });
      throw error;
    }
    await guess.forgive();
  }

  /** Other codes in the place of those before. @returns them, this once */
  async renewRecoveryCodes(who: SignedIn, actor: Actor): Promise<string[]> {
    return this.dataSource.transaction(async (tx) => {
      await this.audit.record(tx, actor, {
        merchantId: null,
        action: 'recovery-codes.renewed',
        subject: who.personId,
      });
      return this.recoveryCodes.replace(tx, who.personId);
    });
  }

  recoveryCodesLeft(personId: string): Promise<number> {
    return this.recoveryCodes.left(personId);
  }

  /** Under the person's lock, so that two who bring the same code cannot both be the first. */
  private async spend(tx: EntityManager, personId: string, code: string, isOn: boolean): Promise<void> {
    const [person] = await tx.query<{ secret: string | null; lastStep: string; now: Date }[]>(
      `SELECT totp_secret AS secret, totp_last_step AS "lastStep", clock_timestamp() AS now FROM person
       WHERE id = $1 AND (totp_enabled_at IS NOT NULL) = $2 FOR UPDATE`,
      [personId, isOn],
    );
    const step = person?.secret
      ? stepOfCode(
          Buffer.from(base32nopad.decode(this.box.open(person.secret, placeOf(personId)))),
          code,
          person.now,
        )
      : null;
    if (step === null || step <= Number(person?.lastStep)) {
      throw new DomainError('invalid', 'validation-error', 'This code is not right, or was used already.');
    }
    await tx.query('UPDATE person SET totp_last_step = $2 WHERE id = $1', [personId, step]);
  }
}

function placeOf(personId: string) {
  return { table: 'person', column: 'totp_secret', rowId: personId };
}
