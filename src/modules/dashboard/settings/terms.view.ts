import type { Depth, NetworkConfig } from '../../../config/config.types.js';
import { LOCALES } from '../../../kernel/text/staff-languages.js';
import type { Turnover } from '../../intents/payments.types.js';
import { formatAmount } from '../domain/amounts.js';
import type { PlainText } from '../language/german/german.js';
import type { Say } from '../language/say.js';
import type { PageModel } from '../session/request-context.js';
import type { Tab } from './tabs.js';
import { acceptField, confirmField, minimumField, settleField, TIERS, type Value } from './terms-form.js';

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
export function termsView(say: Say, page: TermsPage): PageModel {
  const { tabs, networks, wallets, value, isToleranceChosen, forgiven, ...changing } = page;
  return {
    title: say('Settings'),
    tabs,
    ...changing,
    offersTolerance: changing.isOwner && !isToleranceChosen,
    forgiven: forgivenText(say, forgiven),
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
      depths: depthsOf(say, network, value),
      tags: network.family === 'evm',
    })),
  };
}

function depthsOf(say: Say, network: NetworkConfig, value: Value) {
  const { id, confirmationDepth, settlementDepths } = network;
  const field = (name: string, label: PlainText, byDefault: Depth) => ({
    name,
    label: say(label),
    value: value(name),
    byDefault: depthText(say, byDefault),
  });
  return [
    field(confirmField(id), 'Confirmed|of a depth', confirmationDepth),
    ...TIERS.map((tier, i) => field(settleField(id, i), tier, settlementDepths[i] ?? settlementDepths[3])),
  ];
}

function depthText(say: Say, depth: Depth): string {
  if (typeof depth !== 'number') return depth;
  return say('{count, plural, one {# block} other {# blocks}}|as a depth', { count: depth });
}

/** "In October 2026 (UTC) what was accepted short without you cost you CHF 3.10 (12 payments)." */
function forgivenText(say: Say, { from, volumes }: TermsPage['forgiven']): string {
  const [style, locale] = [
    { month: 'long', year: 'numeric', timeZone: 'UTC' } as const,
    LOCALES[say.language],
  ];
  const month = new Intl.DateTimeFormat(locale, style).format(from);
  if (volumes.length === 0) return say('In {month} (UTC) nothing was accepted short without you.', { month });
  const costs = volumes.map(({ currency, minor, count }) =>
    say('{amount} ({count, plural, one {# payment} other {# payments}})', {
      amount: formatAmount(say, minor, currency),
      count,
    }),
  );
  return say('In {month} (UTC) what was accepted short without you cost you {amounts}.', {
    month,
    amounts: costs.join(', '),
  });
}
