import type { Depth, NetworkConfig } from '../../../config/config.types.js';
import { formatFiat } from '../../../kernel/fiat.js';
import type { Turnover } from '../../intents/payments.types.js';
import { plural } from '../domain/times.js';
import type { PageModel } from '../session/request-context.js';
import type { Tab } from './tabs.js';
import { acceptField, confirmField, minimumField, settleField, TIERS, type Value } from './terms-form.js';

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** What withdrawals from exchanges lack most often: docs/product.md has the figures of a simulation. */
export const PROPOSED_TOLERANCE_BPS = 100;

export interface TermsPage {
  readonly tabs: readonly Tab[];
  readonly isOwner: boolean;
  readonly mayChange: boolean;
  /** Where to prove one's identity first. */
  readonly confirm: string | null;
  readonly networks: readonly NetworkConfig[];
  /** Networks on which the merchant can be paid. */
  readonly wallets: readonly string[];
  readonly value: Value;
  readonly isToleranceChosen: boolean;
  /** What settled although it was short, in the month that begins with `from`. */
  readonly forgiven: { readonly from: Date; readonly volumes: readonly Turnover[] };
}

/** What buyers may pay with and when it counts, in the merchant's own words. */
export function termsView({
  tabs,
  networks,
  wallets,
  value,
  isToleranceChosen,
  forgiven,
  ...changing
}: TermsPage): PageModel {
  return {
    title: 'Settings',
    tabs,
    ...changing,
    offersTolerance: changing.isOwner && !isToleranceChosen,
    forgiven: forgivenText(forgiven),
    tolerance: value('tolerance'),
    spread: value('spread'),
    seenLate: value('seen-late') !== '',
    shortPercent: value('short-percent'),
    shortAmount: value('short-amount'),
    lateMinutes: value('late-minutes'),
    lateMove: value('late-move'),
    networks: networks.map((network) => ({
      id: network.id,
      name: network.name,
      hasWallet: wallets.includes(network.id),
      assets: network.assets.map(({ symbol }) => ({
        symbol,
        network: network.name,
        accept: acceptField(network.id, symbol),
        isAccepted: value(acceptField(network.id, symbol)) !== '',
        minimum: minimumField(network.id, symbol),
        minimumValue: value(minimumField(network.id, symbol)),
      })),
      depths: depthsOf(network, value),
      tags: network.family === 'evm',
    })),
  };
}

function depthsOf({ id, confirmationDepth, settlementDepths }: NetworkConfig, value: Value) {
  const field = (name: string, label: string, byDefault: Depth) => ({
    name,
    label,
    value: value(name),
    byDefault: depthText(byDefault),
  });
  return [
    field(confirmField(id), 'Confirmed', confirmationDepth),
    ...TIERS.map((tier, i) =>
      field(settleField(id, i), `Settled, ${tier}`, settlementDepths[i] ?? settlementDepths[3]),
    ),
  ];
}

function depthText(depth: Depth): string {
  if (typeof depth !== 'number') return depth;
  return depth === 1 ? '1 block' : `${depth} blocks`;
}

/** "In October 2026 (UTC) what was accepted short without you cost you CHF 3.10 (12 payments)." */
export function forgivenText({ from, volumes }: TermsPage['forgiven']): string {
  const month = MONTH.format(from);
  if (volumes.length === 0) return `In ${month} (UTC) nothing was accepted short without you.`;
  const costs = volumes.map(
    ({ currency, minor, count }) => `${currency} ${formatFiat(minor)} (${plural(count, 'payment')})`,
  );
  return `In ${month} (UTC) what was accepted short without you cost you ${costs.join(', ')}.`;
}
