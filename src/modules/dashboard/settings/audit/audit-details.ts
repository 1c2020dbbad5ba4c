import { fieldsOf } from '../../../../kernel/error-fields.js';
import { ownValue } from '../../../../kernel/lookups.js';
import { visibleText } from '../../../../kernel/text/visible-text.js';
import type { AuditEntry } from '../../../accounts/accounts.types.js';
import { groupedFiat } from '../../domain/amounts.js';
import { percentText } from '../../domain/percent.js';
import { isWholeId, withShortIds } from '../../domain/shortened.js';
import { moment, type TimeText } from '../../domain/times.js';
import type { PlainText } from '../../language/german/german.js';
import { ROLE_NAMES } from '../../language/roles.js';
import type { Say } from '../../language/say.js';
import { LABELS, MERCHANT, PAYMENT, type Read, SETTINGS, WORDS } from './messages.js';

type Entry = Pick<AuditEntry, 'action' | 'detail'>;

/** What people call a network; its id where it is configured no more. */
export type NetworkName = (id: string) => string;

/** What an entry is about, as it was recorded: where that is a network, or several, by their names. */
export function subjectText(
  { action, subject }: Pick<AuditEntry, 'action' | 'subject'>,
  nameOf: NetworkName,
): string {
  return visibleText(isOfNetworks(action) ? subject.split(', ').map(nameOf).join(', ') : subject);
}

const isOfNetworks = (action: string) => action.startsWith('wallet.') || action.startsWith('chain.');

/** A change as "Tolerance: 0 % → 0.5 %", anything else as "Label: Shop". */
export function detailLines(say: Say, { action, detail }: Entry, nameOf: NetworkName): string[] {
  const { changes, ...rest } = detail;
  const pair = pairOf(rest);
  const said = (name: string) => {
    const value = rest[name];
    const isNetwork = name === 'network' && typeof value === 'string';
    return valueText(
      say,
      isNetwork ? nameOf(value) : value,
      valueLabelsOf(action, name),
      name === 'searched',
    );
  };
  const isSaid = (name: string) =>
    !pair?.includes(name) && !isLeftOut(rest[name]) && idsIn(rest[name]).length === 0;
  const singles = Object.keys(rest).filter(isSaid);
  return [
    ...(pair ? [line(say, say('Change|of the log'), `${said(pair[0])} → ${said(pair[1])}`)] : []),
    ...singles.map((name) => line(say, labelOf(say, name), said(name))),
    ...settingsLines(say, changes, nameOf),
  ];
}

/** A piece of a line: words, or a moment. */
export interface LinePart {
  readonly text: string;
  readonly at: TimeText | null;
}

/** The lines, cut where they name an instant, which the page writes for its reader. */
export function detailParts(say: Say, entry: Entry, nameOf: NetworkName): LinePart[][] {
  return detailLines(say, entry, nameOf).map((text) =>
    text
      .split(/(\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z)/)
      .map((piece, index) => ({ text: piece, at: index % 2 === 1 ? moment(new Date(piece)) : null }))
      .filter((part) => part.text !== ''),
  );
}

/** Ids tell people nothing: the page has them for developers. */
export function idsIn(value: unknown): string[] {
  return [value].flat().filter((one): one is string => typeof one === 'string' && isWholeId(one));
}

const isLeftOut = (value: unknown) => value === null || value === false || value === '';

/** Two names whose values are one before and after. */
function pairOf(detail: Entry['detail']): readonly [string, string] | null {
  const pairs = [
    ['before', 'after'],
    ['from', 'to'],
  ] as const;
  return pairs.find(([was, is]) => !isLeftOut(detail[was] ?? null) && is in detail) ?? null;
}

function labelOf(say: Say, name: string): string {
  const label = ownValue(LABELS, name);
  return label === undefined ? name : say(label);
}

function valueLabelsOf(action: string, name: string): Readonly<Record<string, PlainText>> {
  const isStatus = ['status', 'before', 'after', 'from', 'to'].includes(name);
  if (isStatus && action === 'person.role-changed') return ROLE_NAMES;
  if (isStatus && action.startsWith('merchant.')) return MERCHANT;
  if (isStatus && action.startsWith('intent.')) return PAYMENT;
  return ownValue(WORDS, name) ?? {};
}

function settingsLines(say: Say, changes: unknown, nameOf: NetworkName): string[] {
  return Object.entries(fieldsOf(changes)).map(([path, values]) => {
    const [label, read] = settingOf(say, path, nameOf);
    const texts = Array.isArray(values) ? values.map((value) => settingText(say, value, read)) : [];
    return line(say, label, texts.join(' → '));
  });
}

/** "networkTerms.ethereum.assets.USDC.minimumMinor" has its asset and network in its words. */
function settingOf(say: Say, path: string, nameOf: NetworkName): readonly [label: string, read?: Read] {
  const [text, read] = ownValue(SETTINGS, path) ?? [];
  if (text) return [say(text), read];
  const [, id, asset, of] = /^networkTerms\.([^.]+)\.assets\.([^.]+)\.(\w+)$/.exec(path) ?? [];
  if (id && asset) {
    const option = { asset, network: nameOf(id) };
    return of === 'accepted'
      ? [say('{asset} on {network} accepted', option)]
      : [say('Smallest payment in {asset} on {network}', option), 'money'];
  }
  const [, chain] = /^networkTerms\.([^.]+)\.(?:confirmationDepth|settlementDepths)$/.exec(path) ?? [];
  if (chain) return [say('Confirmations on {network}', { network: nameOf(chain) })];
  return [path.startsWith('logo') ? say('Logo') : path];
}

function settingText(say: Say, value: unknown, read?: Read): string {
  if (typeof value !== 'number' || !read) return valueText(say, value);
  return read === 'percent' ? `${percentText(value)} %` : groupedFiat(say, BigInt(value));
}

/** @param isOurs a sentence of this service, which is translated; what a person wrote is not */
function valueText(
  say: Say,
  value: unknown,
  words: Readonly<Record<string, PlainText>> = {},
  isOurs = false,
): string {
  if (value === null || value === undefined || value === '' || isEmptyList(value))
    return say('nothing|of a value');
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no');
  if (Array.isArray(value)) return value.map((one) => valueText(say, one, words)).join(', ');
  if (typeof value !== 'string') return withShortIds(visibleText(JSON.stringify(value)));
  const word = ownValue(words, value);
  if (word !== undefined) return say(word);
  return withShortIds(visibleText(isOurs ? say.told(value) : value));
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;
const line = (say: Say, label: string, value: string) => say('{label}: {value}', { label, value });
