import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Language } from '../../../kernel/text/staff-languages.js';
import { PersonEntity } from './person.entity.js';

/** Whoever has never been here is written to as the one who writes reads, where that is a person. */
const OF = `
  SELECT coalesce((SELECT language FROM person WHERE email = $1), (SELECT language FROM person WHERE id = $2), 'en')
    AS language`;

/** An address that is nobody's account is read by those who own the merchant. */
const READERS = `
  SELECT email, coalesce(
    (SELECT p.language FROM person p WHERE p.email = lower(addressed.email)),
    (SELECT p.language FROM membership ms JOIN person p ON p.id = ms.person_id
     WHERE ms.merchant_id = $2 AND ms.role = 'owner' AND p.language IS NOT NULL
     ORDER BY ms.created_at, ms.person_id LIMIT 1),
    'en') AS language,
    EXISTS (SELECT FROM membership ms JOIN person p ON p.id = ms.person_id
            WHERE ms.merchant_id = $2 AND p.email = lower(addressed.email) AND p.email_proven_at IS NOT NULL) AS "isProved"
  FROM unnest($1::text[]) WITH ORDINALITY AS addressed (email, place) ORDER BY place`;

/** An address, and the language that it is written to in. */
export interface Addressee {
  readonly email: string;
  readonly language: Language;
  /** One of the merchant's people has it, and it was shown that the mailbox is theirs. */
  readonly isProved: boolean;
}

/** In which language people read. */
@Injectable()
export class PersonLanguagesRepository {
  constructor(private readonly dataSource: DataSource) {}

  async keep(personId: string, language: Language): Promise<void> {
    await this.dataSource.manager.update(PersonEntity, { id: personId }, { language });
  }

  /** @param writer of the letter; `null` for who has no account */
  async of(tx: EntityManager, email: string, writer: string | null = null): Promise<Language> {
    const [row] = await tx.query<[{ language: Language }]>(OF, [email, writer]);
    return row.language;
  }

  /** @param merchantId whose matter it is; `null` is the instance's */
  readers(emails: readonly string[], merchantId: string | null): Promise<Addressee[]> {
    return this.dataSource.query<Addressee[]>(READERS, [emails, merchantId]);
  }
}
