import type { AuditAction } from '../../../database/audit-actions.js';
import { fieldsOf } from '../../../kernel/error-fields.js';
import { browserName } from '../../../kernel/text/browser-name.js';
import { type InEach, type Language, utcMoment } from '../../../kernel/text/staff-languages.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import { type NewsPlace, type Role, ROLES } from '../accounts.types.js';
import type { Letter } from './letter-texts.js';
import { GERMAN_ROLES } from './letters.german.js';
import { type Audience, toldOf } from './news.js';
import { type Named, newsSentence } from './news-sentences.js';
import { toldSettings } from './told-settings.js';

export interface News {
  readonly action: AuditAction;
  readonly audience: Audience;
  readonly merchantName: string | null;
  readonly actor: string;
  readonly ip: string | null;
  readonly at: Date;
  /** Of wallets the network; of people and keys their id, which is nobody's to read. */
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** Of whoever is told. */
  readonly language: Language;
}

/** What news need of where they are written. */
export interface NewsWorld {
  /** "Ethereum" of "ethereum" */
  readonly networkName: (id: string) => string;
  readonly urlOf: (place: NewsPlace) => string;
}

const WORDS = {
  when: { en: 'When', de: 'Wann' },
  by: { en: 'By', de: 'Durch' },
  from: { en: 'From', de: 'Von' },
  before: { en: 'Before', de: 'Bisher' },
  look: { en: 'Look at it', de: 'Ansehen' },
  commandLine: { en: 'The operator’s command line', de: 'Die Kommandozeile des Betreibers' },
  byCommandLine: { en: 'the operator’s command line', de: 'der Kommandozeile des Betreibers' },
  somebody: { en: 'somebody', de: 'jemand' },
  key: { en: 'an extended key', de: 'ein erweiterter Schlüssel' },
  toKey: { en: 'an extended key', de: 'einen erweiterten Schlüssel' },
  unknownBrowser: { en: 'a browser', de: 'einem Browser' },
  and: { en: 'and', de: 'und' },
  on: { en: 'on', de: 'unter' },
} as const satisfies Readonly<Record<string, InEach>>;

const GERMAN_SCOPES: Readonly<Record<string, string>> = { read: 'lesen', write: 'schreiben' };

/** What happened in a sentence; when, by whom and from where; what to do, and where. */
export function newsLetter(news: News, { networkName, urlOf }: NewsWorld): Letter {
  const { action, audience, merchantName, ip, at, language } = news;
  const head = (name: keyof typeof WORDS, value: string) => `${WORDS[name][language]}: ${value}`;
  const what = toldOf(action, audience)?.[language] ?? action;
  const where = merchantName === null ? '' : ` · ${visibleText(merchantName)}`;
  const before = beforeText(news);
  const lines = [
    newsSentence(action, audience, language, namedIn(news, networkName)),
    [
      head('when', utcMoment(at, language)),
      head('by', byText(news)),
      ...(ip === null ? [] : [head('from', ip)]),
      ...(before === null ? [] : [head('before', before)]),
      ...toldSettings(news.detail['changes'], language, networkName),
    ].join('\n'),
    adviceFor(news)[language],
    head('look', urlOf(placeFor(news))),
  ];
  return { subject: `${what}${where}`, text: `${lines.join('\n\n')}\n`, language };
}

function byText({ actor, language }: News): string {
  return actor === 'cli' ? WORDS.commandLine[language] : visibleText(actor);
}

function namedIn(news: News, networkName: NewsWorld['networkName']): Named {
  const { detail, language, subject, merchantName } = news;
  const text = (name: string) => {
    const value = detail[name];
    return typeof value === 'string' && value !== '' ? visibleText(value) : WORDS.somebody[language];
  };
  const invitedBy = text('invitedBy');
  return {
    by: byText(news),
    whom: text('email'),
    merchant: visibleText(merchantName ?? 'Rappen'),
    invitedBy: invitedBy === 'cli' ? WORDS.byCommandLine[language] : invitedBy,
    role: roleText(text('role'), language),
    roleBefore: roleText(text('before'), language),
    roleAfter: roleText(text('after'), language),
    label: text('label'),
    scopes: scopesText(detail['scopes'], language),
    network: networkName(visibleText(subject)),
    address: text('address'),
    wallet: walletText(detail['after'], WORDS.toKey[language]) ?? WORDS.toKey[language],
    url: text('url'),
    urlAfter: text('to'),
    browser: browserText(text('browser'), language),
    isWithoutFactors: detail['dropSecondFactors'] === true,
  };
}

/** What a change of where money or events go took the place of. */
function beforeText({ action, detail, language }: News): string | null {
  if (action === 'wallet.set') return walletText(detail['before'], WORDS.key[language]);
  const { from } = detail;
  return action === 'webhook.url-changed' && typeof from === 'string' ? visibleText(from) : null;
}

function scopesText(scopes: unknown, language: Language): string {
  const names = [scopes].flat().filter((scope) => typeof scope === 'string');
  const said = names.map((name) => (language === 'de' ? (GERMAN_SCOPES[name] ?? name) : name));
  return said.join(` ${WORDS.and[language]} `);
}

function roleText(text: string, language: Language): string {
  const role = ROLES.find((one) => one === text);
  return role !== undefined && language === 'de' ? GERMAN_ROLES[role satisfies Role] : text;
}

/** An address whole, to be compared; of an extended key that it is one: its id says nothing. */
function walletText(value: unknown, key: string): string | null {
  if (typeof value !== 'string') return null;
  return /^[a-z]{2,3}_/.test(value) ? key : visibleText(value);
}

function browserText(userAgent: string, language: Language): string {
  const name = browserName(userAgent);
  return name ? `${name.browser} ${WORDS.on[language]} ${name.system}` : WORDS.unknownBrowser[language];
}

const ADVICE = {
  owners: {
    en: 'If you did not expect this, sign in, undo it, and take the role from whoever did it (Settings, People).',
    de: 'Haben Sie das nicht erwartet, melden Sie sich an, machen Sie es rückgängig, und entziehen Sie dem, der es tat, die Rolle (Einstellungen, Personen).',
  },
  invited: {
    en: 'If you did not expect this, withdraw the invitation (Settings, People). If it was made in your name and not by you, change your password now: that ends whatever your account has offered.',
    de: 'Haben Sie das nicht erwartet, ziehen Sie die Einladung zurück (Einstellungen, Personen). Wurde sie in Ihrem Namen und nicht von Ihnen gemacht, ändern Sie jetzt Ihr Passwort: Damit endet, was Ihr Konto angeboten hat.',
  },
  operators: {
    en: 'If you did not expect this, find out at once who did it: an operator can do everything here.',
    de: 'Haben Sie das nicht erwartet, finden Sie sofort heraus, wer es tat: Ein Betreiber kann hier alles.',
  },
  link: {
    en: 'If you did not ask for it, tell whoever runs the service: whoever holds the link can take your account.',
    de: 'Haben Sie ihn nicht verlangt, sagen Sie es dem Betreiber des Dienstes: Wer den Link hat, kann Ihr Konto übernehmen.',
  },
  member: {
    en: 'If you did not expect this, ask an owner of the merchant.',
    de: 'Haben Sie das nicht erwartet, fragen Sie einen Inhaber des Händlers.',
  },
  dismissed: {
    en: 'If you did not expect this, ask whoever runs the service.',
    de: 'Haben Sie das nicht erwartet, fragen Sie den Betreiber des Dienstes.',
  },
  confirmed: {
    en: 'If you did not make this account or do not use it, somebody else may: tell whoever runs the service before it is invited anywhere.',
    de: 'Haben Sie dieses Konto nicht angelegt oder benutzen Sie es nicht, tut es vielleicht jemand anders: Sagen Sie es dem Betreiber des Dienstes, bevor es irgendwohin eingeladen wird.',
  },
  oneself: {
    en: 'If it was not you, change your password now and end all other sessions under “Your account”; if you cannot sign in, ask whoever runs the service.',
    de: 'Waren Sie es nicht, ändern Sie jetzt Ihr Passwort, und beenden Sie alle anderen Sitzungen unter «Ihr Konto»; können Sie sich nicht anmelden, fragen Sie den Betreiber des Dienstes.',
  },
} as const satisfies Readonly<Record<string, InEach>>;

function adviceFor({ action, audience, merchantName }: News): InEach {
  if (audience === 'owners') return action === 'person.invited' ? ADVICE.invited : ADVICE.owners;
  if (audience === 'operators' || action === 'operator.joined') return ADVICE.operators;
  if (action === 'operator.dismissed') return ADVICE.dismissed;
  if (action === 'password.reset-offered') return ADVICE.link;
  if (action === 'address.proven') return ADVICE.confirmed;
  // By whoever is in the account, unlike all else that somebody is told of themselves and a merchant.
  if (action === 'person.joined') return ADVICE.oneself;
  return merchantName === null ? ADVICE.oneself : ADVICE.member;
}

/** Where whoever is told sees it, and undoes it. */
function placeFor({ action, audience, detail }: News): NewsPlace {
  if (audience === 'operators' || action === 'operator.joined') return 'operatorAudit';
  if (audience === 'subject') return 'account';
  if (action.startsWith('key.')) return 'keys';
  if (action.startsWith('webhook.')) return 'webhooks';
  if (action === 'settings.changed') {
    const { alertEmails: _, ...terms } = fieldsOf(detail['changes']);
    return toldSettings(terms, 'en', String).length === 0 ? 'settings' : 'paymentSettings';
  }
  return action.startsWith('wallet.') ? 'wallets' : 'people';
}
