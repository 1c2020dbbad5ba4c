import type { Address } from 'viem';
import { depositWords } from '../deposit-words.pure.js';
import { forwarder, forwarderFactory } from '../forwarders.types.js';
import type { VerificationRecipe } from '../wallets.types.js';
import { depositSalt, forwarderAddress } from './forwarder-address.js';

/** Nobody has such a payment; an example of one says more than a formula. */
const EXAMPLE = 'pi_example';

export function verificationRecipe(destination: Address, network: string, asset: string): VerificationRecipe {
  const of = { subject: EXAMPLE, network, asset };
  const salt = depositSalt(of);
  return {
    destination,
    factory: forwarderFactory.address,
    forwarder: forwarder.address,
    salt,
    saltOf: depositWords(of),
    depositAddress: forwarderAddress(destination, salt),
  };
}
