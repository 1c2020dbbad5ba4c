import type { AddressWallet, DestinationPreview } from '../../modules/chains/wallets.types.js';
import {
  ACCOUNT_TEXTS,
  payoutWarnings,
  recipeLines,
} from '../../modules/chains/wallets/destination-text.pure.js';
import { forPeople } from '../output.js';

/** A wallet by one address as it was set, what its node said, and how anybody finds its deposit addresses. */
export function destinationText(set: AddressWallet & DestinationPreview): string {
  const { merchantId, network, destination, changes, account, recipe } = set;
  return [
    forPeople({ merchantId, network, destination, changes }),
    `${ACCOUNT_TEXTS[account ?? 'unasked']}\n`,
    ...payoutWarnings(set, network).map((warning) => `${warning}\n`),
    'Compare the address with your wallet, before anybody pays. Deposit addresses can pay out to it alone:\n',
    ...recipeLines(recipe).map((line) => `  ${line}\n`),
  ].join('');
}
