import Handlebars from 'handlebars';
import { IntlMessageFormat } from 'intl-messageformat';
import { before, ownValue } from '../../../kernel/lookups.js';
import { type Language, LOCALES } from '../../../kernel/text/staff-languages.js';
import { german, type Text } from './german/german.js';
import { services } from './german/services/services.js';
import { toldBy } from './told.js';

/** What a text names, formatted already; a number is counted with (`{count, plural, …}`). */
export type Values = Readonly<Record<string, string | number | bigint>>;

/** A text that names something needs to be given it. */
type Named<T extends string> = T extends `${string}{${string}` ? [values: Values] : [];

/** Says an English text of ours in the reader's language. */
export interface Say {
  <T extends Text>(text: T, ...values: Named<T>): string;
  readonly language: Language;
  /** What a service said in English, as problem documents and alerts have it; as it is where nobody has translated it. */
  readonly told: (text: string) => string;
}

const SAY: Readonly<Record<Language, Say>> = { en: sayer('en'), de: sayer('de') };

export function sayIn(language: Language): Say {
  return SAY[language];
}

function sayer(language: Language): Say {
  const say = <T extends Text>(text: T, ...[values]: Named<T>): string =>
    String(compiled(language, text).format<string>(values));
  return Object.assign(say, { language, told: language === 'de' ? toldBy(services, german) : String });
}

/**
 * The same as HTML, for templates, which no compiler checks. Values are escaped, but for HTML of ours (a SafeString).
 * Where the text has `<tag>part</tag>`, the value `tag` is where a link leads; `<code>` and `<strong>` are themselves.
 * @throws for a text that nobody has translated, and for a value that is missing
 */
export function htmlIn(language: Language, text: string, values: Readonly<Record<string, unknown>>): string {
  const given: Record<string, unknown> = { ...values };
  for (const [, tag = ''] of text.matchAll(/<(\w+)>/g)) {
    const link = values[tag];
    const [open, close] = typeof link === 'string' ? [anchor(link), 'a'] : [tag, tag];
    if (close !== 'a' && !ELEMENTS.includes(close))
      throw new Error(`"${text}" is not told where <${tag}> leads`);
    given[tag] = (inner: readonly unknown[]) => safe(`<${open}>${inner.map(escaped).join('')}</${close}>`);
  }
  return compiled(language, text)
    .formatToParts(given as Record<string, string>)
    .map(({ value }) => escaped(value))
    .join('');
}

/** Whoever is elsewhere need not know the page. */
const anchor = (link: string) =>
  `a href="${escaped(link)}"${/^https?:/.test(link) ? ' rel="noreferrer"' : ''}`;

const ELEMENTS = ['code', 'strong', 'em'];
const safe = (html: string) => new Handlebars.SafeString(html);
/** A SafeString as it is. */
export const escaped = (value: unknown) => Handlebars.escapeExpression(value as string);

/** Thousands as our amounts have them: newer data of Node's put a straight quote into those of Switzerland. */
const FORMATTERS = {
  getNumberFormat(...args: ConstructorParameters<typeof Intl.NumberFormat>): Intl.NumberFormat {
    const numbers = new Intl.NumberFormat(...args);
    const withSign = (value: number | bigint) => numbers.format(value).replaceAll("'", '’');
    return { format: withSign } as Intl.NumberFormat;
  },
  getDateTimeFormat: (...args: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
    new Intl.DateTimeFormat(...args),
  getPluralRules: (...args: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...args),
};

/** As many as there are texts, in each language. */
const cache = new Map<string, IntlMessageFormat>();

function compiled(language: Language, text: string): IntlMessageFormat {
  const key = `${language} ${text}`;
  const known = cache.get(key);
  if (known) return known;
  const translated = ownValue<string>(german, text);
  if (translated === undefined) throw new Error(`nobody has translated "${text}"`);
  const said = language === 'en' ? withoutContext(text) : translated;
  const made = new IntlMessageFormat(said, LOCALES[language], undefined, { formatters: FORMATTERS });
  cache.set(key, made);
  return made;
}

/** "Open|of a state" is said as "Open": where one English word needs two of another language, the rest tells them apart. */
function withoutContext(text: string): string {
  return before('|', text);
}
