import { type Language, utcMoment } from '../../../kernel/text/staff-languages.js';
import type { Alert, AlertReaders } from '../alerts.types.js';

export type Told = Pick<Alert, 'id' | 'summary' | 'detail' | 'raisedAt'>;

/** Whose alerts these are: a merchant, by name, or the instance, by address. */
export type AlertsOwner = { readonly merchant: string } | { readonly instance: string };

/** The mail about an alert, in plain text and the readers' language. */
export function mailAbout(
  alert: Told,
  { language, told }: Pick<AlertReaders, 'language' | 'told'>,
  whose: AlertsOwner,
  url: string,
): { subject: string; text: string; language: Language } {
  const { look, why, theInstance } = WORDS[language];
  const of = 'merchant' in whose ? whose.merchant : theInstance(whose.instance);
  const text = [told(alert.detail), look(url), why(utcMoment(alert.raisedAt, language), alert.id, of)];
  return { subject: told(alert.summary), text: `${text.join('\n\n')}\n`, language };
}

interface MailTexts {
  readonly look: (url: string) => string;
  readonly why: (raisedAt: string, id: string, whose: string) => string;
  readonly theInstance: (address: string) => string;
}

const WORDS: Readonly<Record<Language, MailTexts>> = {
  en: {
    look: (url) => `Look at it: ${url}`,
    why: (raisedAt, id, whose) =>
      `Raised ${raisedAt} as ${id}. You get this mail because your address is set for the alerts of ${whose}.`,
    theInstance: (address) => `the instance at ${address}`,
  },
  de: {
    look: (url) => `Ansehen: ${url}`,
    why: (raisedAt, id, whose) =>
      `Gemeldet ${raisedAt} als ${id}. Sie erhalten diese E-Mail, weil Ihre Adresse für die Warnungen von ${whose} eingetragen ist.`,
    theInstance: (address) => `der Instanz auf ${address}`,
  },
};
