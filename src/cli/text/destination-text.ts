import type { AddressWallet, DestinationPreview } from '../../modules/chains/chains.types.js';
import {
  ACCOUNT_WORDS,
  factoryWarning,
  recipeLines,
} from '../../modules/chains/wallets/destination-words.types.js';
import { forPeople } from '../output.js';

/** A wallet by one address as it was set, what its node said, and how anybody finds its deposit addresses. */
export function destinationText(set: AddressWallet & DestinationPreview): string {
  const { merchantId, network, destination, changes, account, isFactoryDeployed, recipe } = set;
  const warning = factoryWarning(isFactoryDeployed, network);
  return [
    forPeople({ merchantId, network, destination, changes }),
    `${ACCOUNT_WORDS[account ?? 'unasked']}\n`,
    ...(warning === null ? [] : [`${warning}\n`]),
    'Compare the address with your wallet, before anybody pays. Deposit addresses can pay out to it alone:\n',
    ...recipeLines(recipe).map((line) => `  ${line}\n`),
  ].join('');
}
