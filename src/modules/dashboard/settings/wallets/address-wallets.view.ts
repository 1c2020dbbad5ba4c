import type { NetworkConfig } from '../../../../config/config.types.js';
import type { DestinationPreview } from '../../../chains/chains.types.js';
import {
  ACCOUNT_WORDS,
  factoryWarning,
  recipeLines,
} from '../../../chains/wallets/destination-words.types.js';
import { pathTo } from '../../paths.http.js';
import type { PageModel } from '../../session/request-context.js';
import type { Tab } from '../tabs.js';

/** Whatever does not look like an address is not shown again, lest it be a secret. */
const LIKE_ADDRESS = /^0x[0-9a-fA-F]{0,40}$/;

/** @param networks those that can be paid to one address */
export function addressFormView(
  tabs: readonly Tab[],
  networks: readonly NetworkConfig[],
  network: string,
  typed: string,
): PageModel {
  return {
    title: 'Set a wallet',
    tabs,
    networks: networks.map(({ id, name }) => ({ id, name, isChosen: id === network })),
    typed: LIKE_ADDRESS.test(typed) ? typed : '',
    keyPath: pathTo('newWallet'),
  };
}

export function addressPreviewView(
  tabs: readonly Tab[],
  { destination, account, isFactoryDeployed, isSet, recipe }: DestinationPreview,
  network: NetworkConfig,
): PageModel {
  return {
    title: 'Compare the address',
    tabs,
    network: network.id,
    networkName: network.name,
    destination,
    groups: destination.slice(2).match(/.{4}/g),
    account: ACCOUNT_WORDS[account ?? 'unasked'],
    warning: factoryWarning(isFactoryDeployed, network.id),
    isSet,
    recipe: recipeLines(recipe).join('\n'),
  };
}
