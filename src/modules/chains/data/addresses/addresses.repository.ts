import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Address, getAddress } from 'viem';
import { FAMILIES, type Family } from '../../../../config/config.types.js';
import { anyOf, type On, run, statement } from '../../../../database/statement.js';
import type { IssuedFrom, IssuedPlace } from '../../chains.types.js';
import { ISSUERS, issuingLockSql } from './issuers.sql.js';

/** An exchange's batch may pay many; a person looks through that many. */
const MAX_KNOWN = 500;

/** Whose they are is asked before they are counted: one transaction may pay as many of other merchants. */
const KNOWN_BY = `
  SELECT DISTINCT a.subject
    FROM (SELECT family, address FROM address WHERE family = ANY ($1) AND address IN ($2, lower($2))
           UNION SELECT family, address FROM transfer WHERE txid IN ($2, lower($2))) AS found
    JOIN address a USING (family, address) JOIN ${ISSUERS} k ON k.id = coalesce(a.extended_key_id, a.destination_id)
   WHERE k.merchant_id = $3 LIMIT ${MAX_KNOWN}`;

/** For every look at a payment that has an address of an EVM network. */
const ISSUED_TO = statement(
  'chains-issued-to',
  `SELECT a.subject, a.address, a.derivation_index AS "index", a.salt, d.address AS destination, d.factory
     FROM address a LEFT JOIN destination d ON d.id = a.destination_id
    WHERE a.subject = ${anyOf('$1')} ORDER BY a.created_at, a.address`,
);

const ISSUED_FROM = `
  SELECT a.derivation_index AS "index", a.address, a.subject, a.created_at AS "issuedAt"
  FROM address a JOIN extended_key k ON k.id = a.extended_key_id
  WHERE k.merchant_id = $1 AND a.extended_key_id = $2 AND ($3::bigint IS NULL OR a.derivation_index < $3)
  ORDER BY a.derivation_index DESC LIMIT $4`;

const ISSUED_FOR = `
  SELECT NULL AS "index", a.address, a.subject, a.created_at AS "issuedAt"
  FROM address a JOIN destination d ON d.id = a.destination_id
  WHERE d.merchant_id = $1 AND a.destination_id = $2
    AND ($3::text IS NULL OR (a.created_at, a.address) <
         (SELECT b.created_at, b.address FROM address b WHERE b.family = 'evm' AND b.address = $3))
  ORDER BY a.created_at DESC, a.address DESC LIMIT $4`;

const AWAIT_ISSUING = `SELECT pg_advisory_xact_lock(${issuingLockSql('$1')})`;

const IS_ISSUED = `SELECT EXISTS (SELECT FROM address WHERE family = $1 AND address = $2) AS issued`;

type PlaceRow = { subject: string; address: string } & (
  { index: number; salt: null } | { index: null; salt: string; destination: Address; factory: Address }
);

/** What is known of issued addresses beyond the money that they got. */
@Injectable()
export class AddressesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Whether an address was given to a buyer, of whichever merchant. @param address as the chains write it */
  async isIssued(
    family: Family,
    address: string,
    on: DataSource | EntityManager = this.dataSource,
  ): Promise<boolean> {
    const [{ issued }] = await on.query<[{ issued: boolean }]>(IS_ISSUED, [family, address]);
    return issued;
  }

  /** The same for whoever is about to name it: nobody issues an address of the family until `tx` ends. */
  async isIssuedForGood(tx: EntityManager, family: Family, address: string): Promise<boolean> {
    await tx.query(AWAIT_ISSUING, [family]);
    return this.isIssued(family, address, tx);
  }

  async subjectsKnownBy(merchantId: string, text: string): Promise<string[]> {
    const values = [FAMILIES, text, merchantId];
    const rows = await this.dataSource.query<{ subject: string }[]>(KNOWN_BY, values);
    return rows.map(({ subject }) => subject);
  }

  async issuedTo(
    subjects: readonly string[],
    on: On = this.dataSource,
  ): Promise<(IssuedPlace & { readonly subject: string })[]> {
    if (subjects.length === 0) return [];
    const rows = await run<PlaceRow>(on, ISSUED_TO, [subjects]);
    return rows.map(({ subject, address, ...row }) => {
      if (row.salt === null) return { subject, address, place: { index: row.index } };
      const [destination, factory] = [getAddress(row.destination), getAddress(row.factory)];
      return { subject, address, place: { destination, factory, salt: row.salt } };
    });
  }

  issuedFrom(merchantId: string, keyId: string, before: number | null, limit: number): Promise<IssuedFrom[]> {
    return this.dataSource.query(ISSUED_FROM, [merchantId, keyId, before, limit]);
  }

  issuedFor(
    merchantId: string,
    destinationId: string,
    before: string | null,
    limit: number,
  ): Promise<IssuedFrom[]> {
    return this.dataSource.query(ISSUED_FOR, [merchantId, destinationId, before, limit]);
  }
}
