import type { NetworkConfig } from '../../../../config/config.types.js';
import type { DestinationPreview } from '../../../chains/wallets.types.js';
import { ACCOUNT_TEXTS, recipeLines } from '../../../chains/wallets/destination-text.pure.js';
import type { Say } from '../../language/say.js';
import { pathTo } from '../../paths.http.js';
import type { PageModel } from '../../session/request-context.js';
import type { Tab } from '../tabs.js';
import { warningsSaid } from './payout-warnings.js';

/** Whatever does not look like an address is not shown again, lest it be a secret. */
const LIKE_ADDRESS = /^0x[0-9a-fA-F]{0,40}$/;

/**
 * @param networks those that can be paid to one address
 * @param others EVM networks that cannot
 */
export function addressFormView(
  say: Say,
  tabs: readonly Tab[],
  networks: readonly NetworkConfig[],
  others: readonly NetworkConfig[],
  network: string,
  typed: string,
): PageModel {
  return {
    title: say('Set a wallet'),
    tabs,
    networks: networks.map(({ id, name }) => ({ id, name, isChosen: id === network })),
    typed: LIKE_ADDRESS.test(typed) ? typed : '',
    others: others.map(({ name }) => name).join(', '),
    keyPath: pathTo('newWallet'),
  };
}

export function addressPreviewView(
  say: Say,
  tabs: readonly Tab[],
  preview: DestinationPreview,
  network: Pick<NetworkConfig, 'id' | 'name'>,
): PageModel {
  const { destination, account, isSet, recipe } = preview;
  return {
    title: say('Compare the address'),
    tabs,
    network: network.id,
    networkName: network.name,
    destination,
    prefix: destination.slice(0, 2),
    groups: destination.slice(2).match(/.{4}/g),
    account: say.told(ACCOUNT_TEXTS[account ?? 'unasked']),
    warnings: warningsSaid(say, preview, network.id),
    isSet,
    recipe: recipeLines(recipe).join('\n'),
  };
}
