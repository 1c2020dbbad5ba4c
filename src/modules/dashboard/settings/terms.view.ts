import type { Depth, NetworkConfig } from '../../../config/config.types.js';
import type { PageModel } from '../session/request-context.js';
import type { Tab } from './tabs.js';
import { acceptField, confirmField, minimumField, settleField, TIERS, type Value } from './terms-form.js';

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
}

/** What buyers may pay with and when it counts, in the merchant's own words. */
export function termsView({ tabs, networks, wallets, value, ...changing }: TermsPage): PageModel {
  return {
    title: 'Settings',
    tabs,
    ...changing,
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
    ...{ name, label, value: value(name) },
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
