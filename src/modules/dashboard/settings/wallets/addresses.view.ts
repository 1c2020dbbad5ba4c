import type { NetworkConfig } from '../../../../config/config.types.js';
import type { DestinationView, ExtendedKeyView } from '../../../chains/wallets.types.js';
import {
  cursorOf,
  type IssuedAddressRow,
  type IssuerKind,
} from '../../../intents/reporting/issued-addresses.service.js';
import { exactCoinText } from '../../domain/amounts.js';
import { pathWith } from '../../domain/safe-path.js';
import { moment } from '../../domain/times.js';
import type { Say } from '../../language/say.js';
import { pathTo } from '../../paths.http.js';
import type { PageModel } from '../../session/request-context.js';
import type { Tab } from '../tabs.js';

/** A key or a destination of the merchant. */
export interface Issuer {
  readonly id: string;
  readonly kind: IssuerKind;
  readonly text: string;
  /** Whether some network is paid to it now. */
  readonly isUsed: boolean;
}

export interface AddressesPage {
  readonly tabs: readonly Tab[];
  readonly issuers: readonly Issuer[];
  /** The one that is looked at. */
  readonly issuer: Issuer | null;
  /** One more than a page when there are older ones. */
  readonly rows: readonly IssuedAddressRow[];
  readonly pageSize: number;
  readonly isFirst: boolean;
}

export function issuersOf(
  say: Say,
  keys: readonly ExtendedKeyView[],
  destinations: readonly DestinationView[],
  networks: readonly Pick<NetworkConfig, 'id' | 'name'>[],
): readonly Issuer[] {
  const namesOf = (ids: readonly string[]) =>
    ids.map((each) => networks.find(({ id }) => id === each)?.name ?? each);
  return [
    ...keys.map(({ id, hint, family, networks: used }) =>
      issuer(id, 'extended-key', hint, namesOf(used), say('{family}, replaced', { family })),
    ),
    ...destinations.map(({ id, address, networks: used }) =>
      issuer(
        id,
        'address',
        `${address.slice(0, 8)}…${address.slice(-6)}`,
        namesOf(used),
        say('replaced|of a wallet'),
      ),
    ),
  ];
}

/** "xpub6CUG…9Fk2tz (Ethereum, Base)" */
function issuer(
  id: string,
  kind: IssuerKind,
  hint: string,
  networks: readonly string[],
  replaced: string,
): Issuer {
  const isUsed = networks.length > 0;
  return { id, kind, isUsed, text: `${hint} (${isUsed ? networks.join(', ') : replaced})` };
}

export function addressesView(say: Say, page: AddressesPage): PageModel {
  const { tabs, issuers, issuer, rows, pageSize, isFirst } = page;
  const shown = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? shown.at(-1) : undefined;
  return {
    title: say('Issued addresses'),
    tabs,
    exportPath: pathTo('issuedAddressesExport'),
    keys: issuers.map(({ id, text }) => ({ id, text, isChosen: id === issuer?.id })),
    isEmpty: shown.length === 0,
    hasIndexes: issuer?.kind === 'extended-key',
    rows: shown.map((row) => ({
      ...row,
      path: pathTo('payment', row.intentId),
      issued: moment(row.issuedAt),
      received: row.received === null ? null : exactCoinText(say, row.received, row.asset ?? ''),
      others: row.others.map(({ atoms, decimals, asset, networkName }) =>
        say('{amount} on {network}', {
          amount:
            decimals === null
              ? say('{count} atoms of {asset}', { count: atoms.toString(), asset })
              : exactCoinText(say, { atoms, decimals }, asset),
          network: networkName,
        }),
      ),
    })),
    newest: isFirst || !issuer ? null : pathWith(pathTo('issuedAddresses'), { key: issuer.id }),
    older:
      last && issuer ? pathWith(pathTo('issuedAddresses'), { key: issuer.id, before: cursorOf(last) }) : null,
  };
}
