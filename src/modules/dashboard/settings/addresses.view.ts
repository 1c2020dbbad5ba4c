import type { ExtendedKeyView } from '../../chains/chains.types.js';
import type { IssuedAddressRow } from '../../intents/reporting/issued-addresses.service.js';
import { pathWith } from '../domain/safe-path.js';
import { moment } from '../domain/times.js';
import type { PageModel } from '../session/request-context.js';
import type { Tab } from './tabs.js';

export interface AddressesPage {
  readonly tabs: readonly Tab[];
  readonly keys: readonly ExtendedKeyView[];
  /** The one that is looked at. */
  readonly key: ExtendedKeyView | null;
  /** One more than a page when there are older ones. */
  readonly rows: readonly IssuedAddressRow[];
  readonly pageSize: number;
  readonly isFirst: boolean;
}

const PATH = '/dashboard/settings/wallets/addresses';

export function addressesView({ tabs, keys, key, rows, pageSize, isFirst }: AddressesPage): PageModel {
  const shown = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? shown.at(-1) : undefined;
  return {
    title: 'Issued addresses',
    tabs,
    exportPath: `${PATH}.csv`,
    keys: keys.map((one) => ({ id: one.id, text: keyText(one), isChosen: one.id === key?.id })),
    isEmpty: shown.length === 0,
    rows: shown.map((row) => ({
      ...row,
      path: `/dashboard/payments/${row.intentId}`,
      issued: moment(row.issuedAt),
      received: row.received === null ? null : `${row.received} ${row.asset}`,
    })),
    newest: isFirst || !key ? null : pathWith(PATH, { key: key.id }),
    older: last && key ? pathWith(PATH, { key: key.id, before: last.index }) : null,
  };
}

/** "xpub6CUG…9Fk2tz, Ethereum and Base" */
function keyText({ hint, networks, family }: ExtendedKeyView): string {
  return networks.length > 0 ? `${hint} (${networks.join(', ')})` : `${hint} (${family}, replaced)`;
}
