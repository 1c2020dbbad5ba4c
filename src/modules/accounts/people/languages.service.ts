import { Injectable } from '@nestjs/common';
import type { Language } from '../../../kernel/text/staff-languages.js';
import type { SignedIn } from '../accounts.types.js';
import { type Addressee, PersonLanguagesRepository } from '../data/person-languages.repository.js';

/** In which language people are written to: as they read here (ADR 70). */
@Injectable()
export class LanguagesService {
  constructor(private readonly languages: PersonLanguagesRepository) {}

  /**
   * What a page says of its reader: a choice counts always, what a browser asks for only while nothing is known.
   * Writes when it is news, and that is rarely.
   */
  async learn({ personId, language: known }: SignedIn, language: Language, isChosen: boolean): Promise<void> {
    if (known === language || (known !== null && !isChosen)) return;
    await this.languages.keep(personId, language);
  }

  /** @param merchantId whose matter it is; `null` is the instance's */
  readers(emails: readonly string[], merchantId: string | null): Promise<Addressee[]> {
    return this.languages.readers(emails, merchantId);
  }
}
