import { type Language, utcMoment } from '../../../kernel/text/staff-languages.js';
import type { Alert, AlertReaders } from '../alerts.types.js';

export type Told = Pick<Alert, 'id' | 'summary' | 'detail' | 'raisedAt'>;

/** Whose alerts these are: a merchant, by name, or the instance, by address. */
export type AlertsOwner = { readonly merchant: string } | { readonly instance: string };

type Mail = Readonly<Record<'subject' | 'text', string>> & { readonly language: Language };

/** The mail about an alert, in plain text and the readers' language. */
export function mailAbout(
  alert: Told,
  { language, told }: Pick<AlertReaders, 'language' | 'told'>,
  whose: AlertsOwner,
  url: string,
): Mail {
  const { look, raised, because } = WORDS[language];
  const why = `${raised(utcMoment(alert.raisedAt, language), alert.id)} ${because(nameOf(whose, language))}`;
  return {
    subject: told(alert.summary),
    text: `${[told(alert.detail), look(url), why].join('\n\n')}\n`,
    language,
  };
}

/** The mail about alerts of which there were too many for a mail each. */
export function mailAboutMore(
  count: number,
  since: Date,
  language: Language,
  whose: AlertsOwner,
  url: string,
): Mail {
  const { look, because, more, moreSince } = WORDS[language];
  const text = [moreSince(count, utcMoment(since, language)), look(url), because(nameOf(whose, language))];
  return { subject: more(count), text: `${text.join('\n\n')}\n`, language };
}

function nameOf(whose: AlertsOwner, language: Language): string {
  return 'merchant' in whose ? whose.merchant : WORDS[language].theInstance(whose.instance);
}

interface MailTexts {
  readonly look: (url: string) => string;
  readonly raised: (raisedAt: string, id: string) => string;
  readonly because: (whose: string) => string;
  readonly theInstance: (address: string) => string;
  readonly more: (count: number) => string;
  readonly moreSince: (count: number, since: string) => string;
}

const WORDS: Readonly<Record<Language, MailTexts>> = {
  en: {
    look: (url) => `Look at it: ${url}`,
    raised: (raisedAt, id) => `Raised ${raisedAt} as ${id}.`,
    because: (whose) => `You get this mail because your address is set for the alerts of ${whose}.`,
    theInstance: (address) => `the instance at ${address}`,
    more: (count) => (count === 1 ? 'One more alert' : `${count} more alerts`),
    moreSince: (count, since) =>
      `Since ${since} there ${count === 1 ? 'was one alert' : `were ${count} alerts`} more than are mailed to you one by one in an ` +
      'hour. What it was about, and whether it is over, is on the page.',
  },
  de: {
    look: (url) => `Ansehen: ${url}`,
    raised: (raisedAt, id) => `Gemeldet ${raisedAt} als ${id}.`,
    because: (whose) =>
      `Sie erhalten diese E-Mail, weil Ihre Adresse für die Warnungen von ${whose} eingetragen ist.`,
    theInstance: (address) => `der Instanz auf ${address}`,
    more: (count) => (count === 1 ? 'Eine weitere Warnung' : `${count} weitere Warnungen`),
    moreSince: (count, since) =>
      `Seit ${since} gab es ${count === 1 ? 'eine Warnung' : `${count} Warnungen`} mehr, als Ihnen in einer Stunde einzeln gemailt ` +
      'werden. Worum es ging und ob es vorbei ist, steht auf der Seite.',
  },
};
