import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, Not } from 'typeorm';
import { DATABASE_NOW } from '../../../database/clock.js';
import { newId } from '../../../kernel/ids.js';
import { AccountChanged } from '../accounts.errors.js';
import { CREDENTIALS } from './credentials.sql.js';
import { PersonEntity } from './person.entity.js';

/** Before the hash of a password that opens nothing any more, as in shadow(5): no password hashes to that. */
const SHUT = '!';

const BY_EMAIL = `
  SELECT id, CASE WHEN NOT starts_with(password_hash, '${SHUT}') THEN password_hash END AS "passwordHash",
         ltrim(password_hash, '${SHUT}') AS "lastHash", ${CREDENTIALS} AS credentials,
         totp_enabled_at IS NOT NULL OR EXISTS (SELECT 1 FROM passkey k WHERE k.person_id = p.id) AS "hasSecondFactor"
  FROM person p WHERE email = $1`;

const HAS_PLACE = `
  SELECT FROM person p WHERE id = $1
    AND (is_operator OR EXISTS (SELECT FROM membership m WHERE m.person_id = p.id))`;

/** Not for its key: whoever is named by a new row, as of the log, is not waited for. */
const LOCK = { mode: 'for_no_key_update' } as const;

const CREDENTIALS_OF = `SELECT ${CREDENTIALS} AS credentials FROM person p WHERE p.id = $1`;

const TOTP = `
  SELECT totp_secret AS secret, totp_last_step::integer AS "lastStep", clock_timestamp() AS now FROM person
  WHERE id = $1 AND totp_secret IS NOT NULL FOR NO KEY UPDATE`;

const SECOND_FACTORS = `
  SELECT (totp_enabled_at IS NOT NULL)::integer + (SELECT count(*)::integer FROM passkey k WHERE k.person_id = p.id) AS count
  FROM person p WHERE id = $1`;

export interface PersonRow {
  readonly id: string;
  /** Of the password that opens the account; `null` where none does. */
  readonly passwordHash: string | null;
  /** Of the last one, also where it opens nothing any more: the next is to be another. `null` where there was none. */
  readonly lastHash: string | null;
  readonly hasSecondFactor: boolean;
  /** What the account is opened by, to be compared with what it is later (`lockAs`). */
  readonly credentials: string;
}

export interface TotpRow {
  readonly secret: string;
  readonly lastStep: number;
  readonly now: Date;
}

/** Made here alone, and by nothing but the lock: the protected field lets no other object pass for one. */
class Locked {
  protected readonly isLocked = true;

  constructor(readonly id: string) {}
}

/** Whose row the transaction has locked: what opens an account, and who is in it, becomes something else only under that lock. */
export type LockedPerson = Locked;

/** The rows of people. */
@Injectable()
export class PeopleRepository {
  constructor(private readonly dataSource: DataSource) {}

  async findByEmail(email: string): Promise<PersonRow | null> {
    const [row] = await this.dataSource.query<PersonRow[]>(BY_EMAIL, [email]);
    return row ?? null;
  }

  /** The id of whoever has chosen a password there once, locked; `null` for everybody else. */
  async registered(tx: EntityManager, email: string): Promise<string | null> {
    const where = { email, registeredAt: Not(IsNull()) };
    const person = await tx.findOne(PersonEntity, { where, lock: LOCK });
    return person?.id ?? null;
  }

  /** The person of an address, made if there is none yet, and locked. */
  async ensure(tx: EntityManager, email: string): Promise<LockedPerson> {
    const person = { id: newId('usr'), email };
    await tx
      .createQueryBuilder()
      .insert()
      .into(PersonEntity)
      .values(person)
      .orIgnore()
      .updateEntity(false)
      .execute();
    return new Locked((await tx.findOneOrFail(PersonEntity, { where: { email }, lock: LOCK })).id);
  }

  /** Belongs to a merchant, or runs the instance. */
  async hasPlace(tx: EntityManager, id: string): Promise<boolean> {
    const [found] = await tx.query<unknown[]>(HAS_PLACE, [id]);
    return found !== undefined;
  }

  async lock(tx: EntityManager, id: string): Promise<LockedPerson> {
    await tx.findOne(PersonEntity, { where: { id }, lock: LOCK });
    return new Locked(id);
  }

  /**
   * The same for what is opened or changed by something that was proved before.
   * @param credentials as they were when it was
   * @throws AccountChanged where they are others by now
   */
  async lockAs(tx: EntityManager, id: string, credentials: string): Promise<LockedPerson> {
    const person = await this.lock(tx, id);
    // A statement of its own sees what was committed while the one before waited.
    const [row] = await tx.query<{ credentials: string }[]>(CREDENTIALS_OF, [id]);
    if (row?.credentials !== credentials) throw new AccountChanged();
    return person;
  }

  /** The first password of somebody new. @returns `false` for whoever has, or had, an account */
  async register(tx: EntityManager, { id }: LockedPerson, passwordHash: string): Promise<boolean> {
    const fresh = { id, registeredAt: IsNull() };
    const { affected } = await tx.update(PersonEntity, fresh, { passwordHash, registeredAt: DATABASE_NOW });
    return affected === 1;
  }

  /** Another one than before, or none, as which the one before is kept: what follows from it is `CredentialChanges`. */
  async setPassword(tx: EntityManager, { id }: LockedPerson, passwordHash: string | null): Promise<void> {
    const shut = () => `'${SHUT}' || ltrim(password_hash, '${SHUT}')`;
    await tx.update(PersonEntity, { id }, { passwordHash: passwordHash ?? shut });
  }

  /** @returns `false` where it was proved before */
  async proveEmail(tx: EntityManager, id: string, emailProvenBy: string): Promise<boolean> {
    const unproven = { id, emailProvenAt: IsNull() };
    const { affected } = await tx.update(PersonEntity, unproven, {
      emailProvenAt: DATABASE_NOW,
      emailProvenBy,
    });
    return affected === 1;
  }

  async declineFactor(id: string): Promise<void> {
    await this.dataSource.manager.update(PersonEntity, { id }, { factorDeclinedAt: DATABASE_NOW });
  }

  /** How many there are now: codes that are on, and each passkey. */
  async secondFactors(tx: EntityManager, { id }: LockedPerson): Promise<number> {
    const [row] = await tx.query<{ count: number }[]>(SECOND_FACTORS, [id]);
    return row?.count ?? 0;
  }

  /** Under the person's lock. `null` where no codes are on. */
  async lockTotp(tx: EntityManager, id: string): Promise<TotpRow | null> {
    const [row] = await tx.query<TotpRow[]>(TOTP, [id]);
    return row ?? null;
  }

  async spendTotp(tx: EntityManager, id: string, totpLastStep: number): Promise<void> {
    await tx.update(PersonEntity, { id }, { totpLastStep });
  }

  /** @param totpLastStep of the first code, which is spent */
  async enableTotp(
    tx: EntityManager,
    { id }: LockedPerson,
    totpSecret: string,
    totpLastStep: number,
  ): Promise<void> {
    await tx.update(PersonEntity, { id }, { totpSecret, totpEnabledAt: DATABASE_NOW, totpLastStep });
  }

  /** @returns `false` where no codes are on: then nothing has changed */
  async disableTotp(tx: EntityManager, { id }: LockedPerson): Promise<boolean> {
    const on = { id, totpEnabledAt: Not(IsNull()) };
    const { affected } = await tx.update(PersonEntity, on, { totpSecret: null, totpEnabledAt: null });
    return affected === 1;
  }
}
