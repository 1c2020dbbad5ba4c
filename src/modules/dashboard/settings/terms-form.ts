import type { NetworkConfig } from '../../../config/config.types.js';
import { wrongField } from '../../../kernel/domain-error.js';
import type { TypedNumber } from '../../../kernel/text/typed-number.js';
import type { Merchant, MerchantSettings } from '../../merchants/merchants.types.js';
import { assetTerms } from '../../merchants/terms.pure.js';
import type { AssetTerms, NetworkTerms, Terms } from '../../merchants/terms.types.js';
import type { Form } from '../domain/form.js';
import { percentText } from '../domain/percent.js';
import type { PlainText } from '../language/german/german.js';
import { amountField, bpsOf, depthOf, minorOf, wholeOf } from './values.js';

/** The form's text by field, stored or just typed; a ticked box is "yes". */
export type Value = (field: string) => string;

export const TIERS = [
  'Settled, below 100',
  'Settled, below 1,000',
  'Settled, below 10,000',
  'Settled, from 10,000 on',
] as const satisfies readonly PlainText[];

export const acceptField = (network: string, symbol: string) => `accept-${symbol}-${network}`;
export const minimumField = (network: string, symbol: string) => `minimum-${symbol}-${network}`;
export const confirmField = (network: string) => `confirm-${network}`;
export const settleField = (network: string, tier: number) => `settle-${tier}-${network}`;

export function storedTerms(merchant: Merchant, networks: readonly NetworkConfig[]): Value {
  const yes = (is: boolean) => (is ? 'yes' : '');
  const values = new Map<string, string>([
    ['tolerance', percentText(merchant.toleranceBps)],
    ['spread', percentText(merchant.spreadBps)],
    ['seen-late', yes(merchant.acceptSeenLate)],
    ['short-percent', percentText(merchant.acceptShortBps)],
    ['short-amount', amountField(merchant.acceptShortMinor)],
    ['late-minutes', String(merchant.acceptLateMinutes)],
    ['late-move', percentText(merchant.acceptLateMoveBps)],
  ]);
  for (const { id, assets } of networks) {
    const own = merchant.networkTerms[id];
    for (const { symbol } of assets) {
      const { accepted, minimumMinor } = assetTerms(merchant.networkTerms, id, symbol);
      values
        .set(acceptField(id, symbol), yes(accepted))
        .set(minimumField(id, symbol), amountField(minimumMinor));
    }
    values.set(confirmField(id), String(own?.confirmationDepth ?? ''));
    TIERS.forEach((_, tier) => values.set(settleField(id, tier), String(own?.settlementDepths[tier] ?? '')));
  }
  return (field) => values.get(field) ?? '';
}

const FIELDS = {
  toleranceBps: 'tolerance',
  spreadBps: 'spread',
  acceptShortBps: 'short-percent',
  acceptShortMinor: 'short-amount',
  acceptLateMinutes: 'late-minutes',
  acceptLateMoveBps: 'late-move',
} as const;

/** The fields of the form, by what an error calls them. That nothing is accepted stands at the first box. */
export function termFields(networks: readonly NetworkConfig[]): Readonly<Record<string, string>> {
  const own = networks.flatMap(({ id, assets }): [string, string][] => [
    [`networkTerms/${id}/confirmationDepth`, confirmField(id)],
    ...TIERS.map((_, tier): [string, string] => [
      `networkTerms/${id}/settlementDepths/${tier}`,
      settleField(id, tier),
    ]),
    ...assets.map(({ symbol }): [string, string] => [
      `networkTerms/${id}/assets/${symbol}/minimumMinor`,
      minimumField(id, symbol),
    ]),
  ]);
  const [box] = networks.flatMap(({ id, assets }) => assets.map(({ symbol }) => acceptField(id, symbol)));
  const nothing: Record<string, string> = box === undefined ? {} : { networkTerms: box };
  return { ...FIELDS, ...nothing, ...Object.fromEntries(own) };
}

export function typedTerms(form: Form): Value {
  return (field) => form.text(field);
}

/**
 * @param before what is stored of networks that this instance does not serve just now is kept
 * @throws DomainError `validation-error` for half a rule
 */
export function termsSettings(
  value: Value,
  networks: readonly NetworkConfig[],
  before: Terms,
): MerchantSettings<TypedNumber> {
  const acceptLateMinutes = wholeOf(value('late-minutes'));
  const acceptLateMoveBps = bpsOf(value('late-move'));
  // What is no number is said by the settings, about the field that it is in.
  const areNumbers = acceptLateMinutes !== 'unreadable' && acceptLateMoveBps !== 'unreadable';
  if (areNumbers && (acceptLateMinutes === 0) !== (acceptLateMoveBps === 0)) {
    const detail =
      'Late money needs both: how late it may be, and how far the rate may have moved. 0 and 0 is off.';
    throw wrongField(acceptLateMinutes === 0 ? 'late-minutes' : 'late-move', detail);
  }
  return {
    toleranceBps: bpsOf(value('tolerance')),
    spreadBps: bpsOf(value('spread')),
    acceptSeenLate: value('seen-late') !== '',
    acceptShortBps: bpsOf(value('short-percent')),
    acceptShortMinor: minorOf(value('short-amount')),
    acceptLateMinutes,
    acceptLateMoveBps,
    networkTerms: Object.fromEntries([
      ...Object.entries(before).filter(([id]) => !networks.some((network) => network.id === id)),
      ...networks.flatMap((network) => {
        const own = networkTerms(value, network);
        return own ? [[network.id, own] as const] : [];
      }),
    ]),
  };
}

/** Only what overrides a default; `null` when nothing does. */
function networkTerms(value: Value, { id, assets }: NetworkConfig): NetworkTerms<TypedNumber> | null {
  const own = assets
    .map(({ symbol }): [string, AssetTerms<TypedNumber>] => [
      symbol,
      {
        accepted: value(acceptField(id, symbol)) !== '',
        minimumMinor: minorOf(value(minimumField(id, symbol))),
      },
    ])
    .filter(([, { accepted, minimumMinor }]) => !accepted || minimumMinor !== 0);
  const confirmationDepth = depthOf(value(confirmField(id)));
  const settlementDepths = TIERS.map((_, tier) => depthOf(value(settleField(id, tier))));
  const isDefault =
    own.length === 0 && [confirmationDepth, ...settlementDepths].every((depth) => depth === null);
  return isDefault ? null : { assets: Object.fromEntries(own), confirmationDepth, settlementDepths };
}
