import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { FAMILIES } from '../../../config/config.types.js';
import type { IssuedFromKey, IssuedIndex } from '../chains.types.js';

/** An exchange's batch may pay many; a person looks through that many. */
const MAX_KNOWN = 500;

const KNOWN_BY = `
  SELECT subject FROM address WHERE family = ANY ($1) AND address IN ($2, lower($2))
  UNION SELECT subject FROM transfer WHERE txid IN ($2, lower($2))
  LIMIT ${MAX_KNOWN}`;

const ISSUED_TO = `
  SELECT address, derivation_index AS "index" FROM address WHERE subject = $1 ORDER BY created_at, address`;

const ISSUED_FROM = `
  SELECT a.derivation_index AS "index", a.address, a.subject, a.created_at AS "issuedAt"
  FROM address a JOIN extended_key k ON k.id = a.extended_key_id
  WHERE k.merchant_id = $1 AND a.extended_key_id = $2 AND ($3::bigint IS NULL OR a.derivation_index < $3)
  ORDER BY a.derivation_index DESC LIMIT $4`;

/** What is known of issued addresses beyond the money that they got. */
@Injectable()
export class AddressBook {
  constructor(private readonly dataSource: DataSource) {}

  async subjectsKnownBy(text: string): Promise<string[]> {
    const rows = await this.dataSource.query<{ subject: string }[]>(KNOWN_BY, [FAMILIES, text]);
    return rows.map(({ subject }) => subject);
  }

  issuedTo(subject: string): Promise<IssuedIndex[]> {
    return this.dataSource.query(ISSUED_TO, [subject]);
  }

  issuedFrom(
    merchantId: string,
    keyId: string,
    before: number | null,
    limit: number,
  ): Promise<IssuedFromKey[]> {
    return this.dataSource.query(ISSUED_FROM, [merchantId, keyId, before, limit]);
  }
}
