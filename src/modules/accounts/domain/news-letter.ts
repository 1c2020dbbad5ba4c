import type { AuditAction } from '../../../database/audit-actions.js';
import { utcMoment, type InEach, type Language } from '../../../kernel/text/staff-languages.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import type { Letter } from './letter-texts.js';
import { GERMAN_ROLES } from './letters.german.js';
import { toldOf, type Audience } from './news.js';

export interface News {
  readonly action: AuditAction;
  readonly audience: Audience;
  readonly merchantName: string | null;
  readonly actor: string;
  readonly address: string | null;
  readonly at: Date;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** Of whoever is told. */
  readonly language: Language;
}

const HEADS = {
  when: { en: 'When', de: 'Wann' },
  by: { en: 'By', de: 'Durch' },
  from: { en: 'From', de: 'Von' },
  about: { en: 'About', de: 'Betrifft' },
} as const satisfies Readonly<Record<string, InEach>>;

const COMMAND_LINE: InEach = { en: 'the operator’s command line', de: 'die Kommandozeile des Betreibers' };

/** What the details of actions that are told are called in German; English has the names themselves. */
const GERMAN_DETAILS: Readonly<Record<string, string>> = {
  address: 'Adresse',
  after: 'nachher',
  asset: 'Währung',
  before: 'vorher',
  browser: 'Browser',
  by: 'durch',
  change: 'Änderung Nummer',
  email: 'E-Mail',
  invitedBy: 'eingeladen von',
  key: 'Schlüssel',
  kind: 'Art',
  label: 'Name',
  name: 'Name',
  network: 'Netzwerk',
  role: 'Rolle',
  scopes: 'darf',
};

const GERMAN_VALUES: Readonly<Record<string, string>> = {
  ...GERMAN_ROLES,
  read: 'lesen',
  write: 'schreiben',
};

/** Whose value is a word of ours, and not what somebody wrote. */
const WORDS = new Set(['role', 'before', 'after', 'scopes']);

/** What, when, by whom, from where, and what to do. */
export function newsLetter(news: News): Letter {
  const { action, audience, merchantName, actor, address, at, subject, detail, language } = news;
  const head = (name: keyof typeof HEADS, value: string) => `${HEADS[name][language]}: ${value}`;
  const what = toldOf(action, audience)?.[language] ?? action;
  const where = merchantName === null ? '' : ` · ${visibleText(merchantName)}`;
  const facts = factsOf(detail, language);
  const about = audience === 'subject' ? facts : [head('about', visibleText(subject)), ...facts];
  const by = actor === 'cli' ? COMMAND_LINE[language] : visibleText(actor);
  const lines = [
    `${what}${where}.`,
    [
      head('when', utcMoment(at, language)),
      head('by', by),
      ...(address === null ? [] : [head('from', address)]),
    ].join('\n'),
    ...(about.length > 0 ? [about.join('\n')] : []),
    adviceFor(news)[language],
  ];
  return { subject: `${what}${where}`, text: `${lines.join('\n\n')}\n`, language };
}

function factsOf(detail: News['detail'], language: Language): string[] {
  return Object.entries(detail)
    .filter(([, value]) => typeof value === 'string' || Array.isArray(value))
    .map(([name, value]) => {
      if (language === 'en') return `${name}: ${visibleText(String(value))}`;
      const values = [value].flat().map((one) => visibleText(String(one)));
      const said = WORDS.has(name) ? values.map((one) => GERMAN_VALUES[one] ?? one) : values;
      return `${GERMAN_DETAILS[name] ?? name}: ${said.join(', ')}`;
    });
}

const ADVICE = {
  owners: {
    en: 'If you did not expect this, sign in, undo it, and take the role from whoever did it (Settings, People).',
    de: 'Haben Sie das nicht erwartet, melden Sie sich an, machen Sie es rückgängig, und entziehen Sie dem, der es tat, die Rolle (Einstellungen, Personen).',
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
  oneself: {
    en: 'If it was not you, change your password now and end all other sessions under "Your account"; if you cannot sign in, ask whoever runs the service.',
    de: 'Waren Sie es nicht, ändern Sie jetzt Ihr Passwort, und beenden Sie alle anderen Sitzungen unter «Ihr Konto»; können Sie sich nicht anmelden, fragen Sie den Betreiber des Dienstes.',
  },
} as const satisfies Readonly<Record<string, InEach>>;

function adviceFor({ action, audience, merchantName }: News): InEach {
  if (audience === 'owners') return ADVICE.owners;
  if (audience === 'operators' || action === 'operator.joined') return ADVICE.operators;
  if (action === 'password.reset-offered') return ADVICE.link;
  return merchantName === null ? ADVICE.oneself : ADVICE.member;
}
