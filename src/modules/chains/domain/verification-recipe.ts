import type { Address } from 'viem';
import { saltPreimage } from '../deposit-salt.pure.js';
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
    saltOf: saltPreimage(of),
    depositAddress: forwarderAddress(destination, salt),
  };
}
