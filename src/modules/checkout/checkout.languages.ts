import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../config/config.types.js';
import { HostCookie, LONGEST_MS } from '../../platform/http/host-cookie.js';
import { catalogues, isLanguage } from './catalogue/catalogues.js';
import type { Catalogue } from './catalogue/en.js';
import { languageWished } from './domain/language-wish.js';

/**
 * In which language a buyer reads: what the address says, else what was chosen here before, else what the browser asks
 * for, else English (ADR 57).
 */
@Injectable()
export class CheckoutLanguages {
  private readonly cookie: HostCookie;

  constructor(@Inject(CONFIG) { checkoutUrl }: Pick<Config, 'checkoutUrl'>) {
    // Lax, not Strict: buyers come by a link of the shop's.
    this.cookie = new HostCookie('language', checkoutUrl, { sameSite: 'lax', maxAge: LONGEST_MS });
  }

  catalogueOf(request: Request): Catalogue {
    const wishes = [request.query.lang, this.cookie.read(request)];
    return catalogues[wishes.find(isLanguage) ?? languageWished(request.headers['accept-language'])];
  }

  /** Remembers a language that was chosen, and nothing where none was. */
  keep(request: Request, response: Response): void {
    if (isLanguage(request.query.lang)) this.cookie.write(response, request.query.lang);
  }
}
