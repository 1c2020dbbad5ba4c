import type { Request, Response } from 'express';
import { isStaffLanguage, type Language, LANGUAGES } from '../../../kernel/text/staff-languages.js';
import { HostCookie, LONGEST_MS } from '../../../platform/http/host-cookie.js';

/** In which language somebody reads: what was chosen here before, else what the browser asks for, else English (ADR 65). */
export class DashboardLanguages {
  private readonly cookie: HostCookie;

  constructor(baseUrl: string) {
    // Lax, not Strict: people come by links in mails.
    this.cookie = new HostCookie('dashboard-language', baseUrl, { sameSite: 'lax', maxAge: LONGEST_MS });
  }

  /** What somebody chose here; `null` where nobody has. */
  chosenBy(request: Request): Language | null {
    const choice = this.cookie.read(request);
    return isStaffLanguage(choice) ? choice : null;
  }

  languageOf(request: Request): Language {
    const wished = request.acceptsLanguages([...LANGUAGES]);
    return this.chosenBy(request) ?? (isStaffLanguage(wished) ? wished : 'en');
  }

  /** The others, for the choice on the page. */
  others(language: Language): Language[] {
    return LANGUAGES.filter((other) => other !== language);
  }

  /** Remembers a choice; nothing where it is none of ours. */
  keep(response: Response, choice: string): void {
    if (isStaffLanguage(choice)) this.cookie.write(response, choice);
  }
}
