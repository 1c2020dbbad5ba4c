import type { NetworkConfig } from '../../../config/config.types.js';
import { isNothing } from '../../../kernel/crypto-amount.js';
import { CURRENCIES } from '../../../kernel/fiat.js';
import { INTENT_STATUSES } from '../../../kernel/intent-status.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import type { SavedView } from '../../accounts/accounts.types.js';
import type { PaymentPage, PaymentRow } from '../../intents/payments.types.js';
import { coinAmount, fiatAmount, formatAmount } from '../domain/amounts.js';
import { pathWith } from '../domain/safe-path.js';
import { moment } from '../domain/times.js';
import type { Text } from '../language/german/german.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import type { PageModel } from '../session/request-context.js';
import { exportPath, listPath, type PaymentsQuery, savedPath, SHOWN } from './filter.js';
import { statusLabel } from './messages.js';

/** An asset that can be filtered by: "USDC on Ethereum". */
export interface AssetChoice {
  readonly value: string;
  readonly text: string;
}

/** The questions of the tabs, as links name them; all payments by nothing. */
export const TABS = {
  '': 'All',
  waiting: 'Waiting',
  review: 'To review',
  settled: 'Settled',
} as const satisfies Record<'' | (typeof SHOWN)[number], Text>;
/** What stands behind "Filter": neither the tab nor the search. */
const FURTHER = ['status', 'asset', 'currency', 'from', 'to', 'min', 'max'];

export function paymentListView(
  say: Say,
  { parameters, problems }: PaymentsQuery,
  page: PaymentPage,
  assets: readonly AssetChoice[],
  views: readonly SavedView[],
): PageModel {
  const field = (name: string) => parameters[name] ?? '';
  const active = FURTHER.filter((name) => field(name) !== '').length;
  const q = field('q');
  // What is no tab shows all.
  const show = Object.hasOwn(TABS, field('show')) ? field('show') : '';
  const here = listPath(parameters, null);
  const open = views.find((view) => savedPath(view) === here) ?? null;
  const isFiltered = active > 0 || q !== '';
  return {
    title: say('Payments'),
    problem:
      problems.length > 0
        ? say('{problems} The list is shown without that.', {
            problems: problems.map((problem) => say(problem)).join(' '),
          })
        : null,
    tabs: Object.entries(TABS).map(([value, label]) => ({
      label: say(label),
      path: listPath({ ...parameters, show: value }, null),
      // One thing is current: a view that somebody saved is narrower than its tab.
      isCurrent: open === null && value === show,
    })),
    rows: page.rows.map((row) => rowView(say, row)),
    isEmpty: page.rows.length === 0,
    views: views.map((view) => ({
      name: visibleText(view.name),
      path: savedPath(view),
      isCurrent: view === open,
    })),
    open: open && { name: visibleText(open.name), path: pathTo('savedView', open.id) },
    savePath:
      isFiltered && !open && problems.length === 0 ? pathWith(pathTo('newSavedView'), parameters) : null,
    isFiltered,
    narrowing: isFiltered || open !== null,
    isNarrowed: Object.keys(parameters).length > 0,
    filter: {
      active,
      show,
      q,
      from: field('from'),
      to: field('to'),
      min: field('min'),
      max: field('max'),
      statuses: choices(
        INTENT_STATUSES.map((value) => ({ value, text: say(value) })),
        field('status'),
      ),
      currencies: choices(CURRENCIES.map(plain), field('currency')),
      assets: choices(assets, field('asset')),
    },
    clearPath: listPath({ show }, null),
    hasPages: page.newer !== null || page.older !== null,
    newer: page.newer && listPath(parameters, page.newer),
    older: page.older && listPath(parameters, page.older),
    exportPath: exportPath(parameters),
  };
}

/** Each asset of each network, as links name them. */
export function assetChoices(say: Say, networks: readonly NetworkConfig[]): AssetChoice[] {
  return networks.flatMap(({ id, name, assets }) =>
    assets.map(({ symbol }) => ({
      value: `${symbol}@${id}`,
      text: say('{amount} on {network}', { amount: symbol, network: name }),
    })),
  );
}

function rowView(say: Say, row: PaymentRow) {
  const { asset, received } = row;
  return {
    path: pathTo('payment', row.id),
    unnamed: say('Payment of {amount}', {
      amount: formatAmount(say, row.amountMinor, row.currency),
    }),
    name: row.title === null ? null : visibleText(row.title),
    orderKey: row.orderKey === null ? null : visibleText(row.orderKey),
    status: statusLabel(say, row.status),
    inReview: row.inReview,
    amount: fiatAmount(say, row.amountMinor, row.currency),
    received: received && asset && !isNothing(received) ? coinAmount(say, received, asset) : null,
    asset,
    network: row.networkName,
    created: moment(row.createdAt),
  };
}

const plain = (value: string) => ({ value, text: value });

function choices(all: readonly AssetChoice[], chosen: string) {
  return all.map((choice) => ({ ...choice, isChosen: choice.value === chosen }));
}
