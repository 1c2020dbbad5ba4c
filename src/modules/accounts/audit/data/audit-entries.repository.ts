import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ANYBODYS, type Change, type Whose } from '../../../../database/by.js';
import type { Language } from '../../../../kernel/text/staff-languages.js';
import type { AccountEntry, Actor, AuditEntry } from '../../accounts.types.js';

/** Filters offer what happened lately: looking through years of a log for its kinds would take longer than reading it. */
const KNOWN_AMONG = 5_000;

const INSERT = `
  INSERT INTO audit_entry (actor, person_id, merchant_id, action, subject, detail, address)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

// "id" alone would be the text of the result, in which 10 comes before 9.
const list = (whose: string) => `
  SELECT id::text AS id, at, actor, merchant_id AS "merchantId", action, subject, detail, address AS ip
  FROM audit_entry
  WHERE ${whose}
    AND ($3::bigint IS NULL OR id < $3) AND ($4::text[] IS NULL OR action = ANY ($4))
    AND ($5::text IS NULL OR actor = $5)
  ORDER BY audit_entry.id DESC LIMIT $2`;
const LIST_ALL = list('$1::text IS NULL');
const LIST_OF_MERCHANT = list('merchant_id = $1');

const KNOWN = `
  SELECT DISTINCT actor, action FROM (
    SELECT actor, action FROM audit_entry WHERE merchant_id = $1 ORDER BY id DESC LIMIT ${KNOWN_AMONG}) AS latest`;

const PERSON = `
  SELECT email, coalesce(language, 'en') AS language, (SELECT name FROM merchant WHERE id = $2) AS "merchantName", clock_timestamp() AS at
  FROM person WHERE id = $1`;
const OPERATORS = `
  SELECT email, coalesce(language, 'en') AS language, NULL AS "merchantName", clock_timestamp() AS at FROM person
  WHERE is_operator ORDER BY email`;
const OWNERS = `
  SELECT p.email, coalesce(p.language, 'en') AS language, m.name AS "merchantName", clock_timestamp() AS at
  FROM membership ms JOIN person p ON p.id = ms.person_id JOIN merchant m ON m.id = ms.merchant_id
  WHERE ms.merchant_id = $1 AND ms.role = 'owner' ORDER BY p.email`;

const HAS_SIGNED_IN = `
  SELECT EXISTS (SELECT FROM audit_entry WHERE person_id = $1 AND action = 'signed-in') AS "hasSignedIn"`;

// Their names stand here as in the index, or it would not be used.
const OF_ACCOUNT = `
  SELECT at, action, detail, address AS ip FROM audit_entry
  WHERE person_id = $1 AND action IN ('account.guessed-at', 'second-factor.missed', 'signed-in.new-device')
  ORDER BY id DESC LIMIT $2`;

/** What of a log is listed; what is left out restricts nothing. */
export interface AuditPart {
  /** An entry's id: only older ones. */
  readonly before?: string | null;
  readonly actions?: readonly string[] | null;
  /** Only what this one did. */
  readonly actor?: string | null;
}

/** Who is told of a change, and its instant. */
export interface Listener {
  readonly email: string;
  readonly language: Language;
  readonly merchantName: string | null;
  readonly at: Date;
}

/** The entries of the audit log, which the database refuses to change. */
@Injectable()
export class AuditEntriesRepository {
  constructor(private readonly dataSource: DataSource) {}

  async insert(tx: EntityManager, actor: Actor, change: Change): Promise<void> {
    const { merchantId, action, subject } = change;
    const { name, personId, ip, by } = actor;
    const detail = JSON.stringify({ ...change.detail, ...(by === undefined ? {} : { by }) });
    await tx.query(INSERT, [name, personId, merchantId, action, subject, detail, ip]);
  }

  async hasSignedIn(tx: EntityManager, personId: string): Promise<boolean> {
    const [row] = await tx.query<[{ hasSignedIn: boolean }]>(HAS_SIGNED_IN, [personId]);
    return row.hasSignedIn;
  }

  /** Newest first. */
  ofAccount(personId: string, limit: number): Promise<AccountEntry[]> {
    return this.dataSource.query<AccountEntry[]>(OF_ACCOUNT, [personId, limit]);
  }

  person(tx: EntityManager, personId: string, merchantId: string | null): Promise<Listener[]> {
    return tx.query<Listener[]>(PERSON, [personId, merchantId]);
  }

  operators(tx: EntityManager): Promise<Listener[]> {
    return tx.query<Listener[]>(OPERATORS);
  }

  owners(tx: EntityManager, merchantId: string): Promise<Listener[]> {
    return tx.query<Listener[]>(OWNERS, [merchantId]);
  }

  /** Newest first; of the arguments, `null` is any. @param before an entry's id: only older ones */
  list(
    whose: Whose,
    limit: number,
    { before = null, actions = null, actor = null }: AuditPart,
  ): Promise<AuditEntry[]> {
    const [text, merchantId] = whose === ANYBODYS ? [LIST_ALL, null] : [LIST_OF_MERCHANT, whose];
    return this.dataSource.query<AuditEntry[]>(text, [merchantId, limit, before, actions, actor]);
  }

  /** Who did what for a merchant lately. */
  known(merchantId: string): Promise<{ actor: string; action: string }[]> {
    return this.dataSource.query<{ actor: string; action: string }[]>(KNOWN, [merchantId]);
  }
}
