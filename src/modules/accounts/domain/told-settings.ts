import { formatDecimal, trimZeros } from '../../../kernel/decimal.js';
import { fieldsOf } from '../../../kernel/error-fields.js';
import { formatFiat } from '../../../kernel/fiat.js';
import { ownValue } from '../../../kernel/lookups.js';
import type { InEach, Language } from '../../../kernel/text/staff-languages.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import type { MerchantSettings } from '../../merchants/merchants.types.js';

/** How a number is read: hundredths of a percent, or of a currency's unit, or as it is. */
type Read = 'percent' | 'money' | 'number';
/** @param usual what it is where it is not named */
type Told = readonly [name: InEach, read: Read, usual?: unknown];

/** Each setting whose change owners are told of, as they read it; else why they are not. A new one does not compile. */
const SETTINGS: Readonly<Record<Exclude<keyof MerchantSettings, 'networkTerms'>, Told | string>> = {
  name: 'each page shows it',
  supportContact: 'each page of a buyer shows it',
  color: 'each page of a buyer shows it',
  logo: 'each page of a buyer shows it',
  toleranceChosen: 'the tolerance itself is told',
  alertEmails: [{ en: 'Alerts go to', de: 'Warnungen gehen an' }, 'number'],
  toleranceBps: [{ en: 'Tolerance', de: 'Toleranz' }, 'percent'],
  spreadBps: [{ en: 'Spread', de: 'Aufschlag' }, 'percent'],
  acceptSeenLate: [
    {
      en: 'Accept what was in time and seen late',
      de: 'Annehmen, was rechtzeitig kam und spät gesehen wurde',
    },
    'number',
  ],
  acceptShortBps: [
    { en: 'Accept what is short by at most', de: 'Annehmen, wenn höchstens fehlt' },
    'percent',
  ],
  acceptShortMinor: [
    { en: 'Accept what is short by at most', de: 'Annehmen, wenn höchstens fehlt' },
    'money',
  ],
  acceptLateMinutes: [
    { en: 'Accept what is late by at most, in minutes', de: 'Annehmen, wenn höchstens zu spät, in Minuten' },
    'number',
  ],
  acceptLateMoveBps: [
    { en: 'while the rate moves by less than', de: 'solange sich der Kurs um weniger bewegt als' },
    'percent',
  ],
};

const WORDS = {
  yes: { en: 'yes', de: 'ja' },
  no: { en: 'no', de: 'nein' },
  nobody: { en: 'nobody', de: 'niemand' },
  usual: { en: 'the default', de: 'Standard' },
} as const satisfies Readonly<Record<string, InEach>>;

/** What a network's terms are where a merchant has said nothing. */
const USUAL = { accepted: true, minimumMinor: 0 } as const;

/**
 * "Tolerance: 0 % → 1 %", for each setting that decides what counts as paid, or where alerts go.
 * @param changes `[before, after]` by the setting's path, as the log has them
 */
export function toldSettings(
  changes: unknown,
  language: Language,
  networkName: (id: string) => string,
): string[] {
  return Object.entries(fieldsOf(changes)).flatMap(([path, values]) => {
    const told = toldAt(path, networkName);
    if (!told || !Array.isArray(values)) return [];
    const [name, read, usual] = told;
    const [before, after] = values.map((value: unknown) => valueText(value ?? usual, read, language));
    return before === after ? [] : [`${name[language]}: ${before} → ${after}`];
  });
}

/** "networkTerms.ethereum.assets.USDC.minimumMinor" has its asset and network in its words. */
function toldAt(path: string, networkName: (id: string) => string): Told | null {
  const [setting = '', id = ''] = path.split('.');
  if (setting !== 'networkTerms') {
    const told = ownValue(SETTINGS as Readonly<Record<string, Told | string>>, setting) ?? '';
    return typeof told === 'string' ? null : told;
  }
  const network = visibleText(networkName(id));
  const [, symbol = '', of] = /\.assets\.(.+)\.(accepted|minimumMinor)$/.exec(path) ?? [];
  const asset = visibleText(symbol);
  if (of === 'accepted') {
    const name = { en: `${asset} on ${network} accepted`, de: `${asset} auf ${network} angenommen` };
    return [name, 'number', USUAL.accepted];
  }
  if (of === 'minimumMinor') {
    const name = {
      en: `Smallest payment in ${asset} on ${network}`,
      de: `Kleinste Zahlung in ${asset} auf ${network}`,
    };
    return [name, 'money', USUAL.minimumMinor];
  }
  return [{ en: `Confirmations on ${network}`, de: `Bestätigungen auf ${network}` }, 'number'];
}

function valueText(value: unknown, read: Read, language: Language): string {
  if (value === null || value === undefined) return WORDS.usual[language];
  if (typeof value === 'boolean') return WORDS[value ? 'yes' : 'no'][language];
  if (Array.isArray(value)) return listText(value, read, language);
  if (typeof value !== 'number')
    return visibleText(typeof value === 'string' ? value : JSON.stringify(value));
  if (read === 'percent') return `${trimZeros(formatDecimal(BigInt(value), 2))} %`;
  return read === 'money' ? formatFiat(BigInt(value)) : String(value);
}

function listText(values: readonly unknown[], read: Read, language: Language): string {
  if (values.length === 0) return WORDS.nobody[language];
  if (values.every((one) => one === null)) return WORDS.usual[language];
  return values.map((one) => valueText(one, read, language)).join(', ');
}
