import { keccak256 } from './keccak.js';
import type { IntentWithPayment } from './types.js';

/**
 * Known here, never asked for: a server that was broken into would name contracts of its own. The bytes are those of the
 * service's `contracts/`; a new factory is a new version of this package.
 */
const FACTORY = 'fee6740b28b3cbb6253f58b0a658972482c9ffba';
const FORWARDER = '24dd6696f5fb0aae97153806723b72a766a84eda';
const CODE_BEFORE = `60473d8160093d39f336600557005b363d3d373d3d3d363d73${FORWARDER}5af43d82803e903d91603157fd5bf3`;

/** What an address is computed from: of `getIntent`, or `data.intent` and `data.payment` of an event put together. */
export type IntentWithAddress = Pick<IntentWithPayment, 'id' | 'assetSymbol' | 'depositAddress'> & {
  readonly payment: { readonly network: string } | null;
};

/** Where your wallet gets its money. */
export interface Destination {
  /** The address of your wallet, as you know it: from your own configuration, never from the service. */
  readonly destination: string | readonly string[];
}

/**
 * Whether what the buyer is told to pay to can pay out to your wallet and to nothing else. It is computed here, from the
 * intent's id, its network and its asset, so a service that was broken into cannot make it true for an address of a thief.
 * Only for wallets by one address (EVM networks); also `false` while the buyer has not picked an asset.
 * @param of several destinations where you have changed it lately: open quotes keep the one they were made with
 * @throws TypeError for a destination that is no EVM address: that is an error of the configuration, not an alarm
 */
export function verifyDepositAddress(intent: IntentWithAddress, { destination }: Destination): boolean {
  const destinations = [destination].flat().map(digitsOf);
  if (destinations.length === 0) throw new TypeError('Name at least one destination.');
  const { id, assetSymbol, depositAddress, payment } = intent;
  if (assetSymbol === null || depositAddress === null || payment === null) return false;
  const salt = hex(keccak256(new TextEncoder().encode(`${id}/${payment.network}/${assetSymbol}`)));
  const shown = depositAddress.toLowerCase();
  return destinations.some((one) => depositAddressOf(one, salt) === shown);
}

/** EIP-1014. Hex without 0x in, lower case with 0x out. */
function depositAddressOf(destination: string, salt: string): string {
  const codeHash = hex(keccak256(bytes(CODE_BEFORE + destination)));
  return `0x${hex(keccak256(bytes(`ff${FACTORY}${salt}${codeHash}`))).slice(24)}`;
}

function digitsOf(address: string): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) {
    throw new TypeError(`No address of an EVM network: ${JSON.stringify(address)}`);
  }
  return address.slice(2).toLowerCase();
}

function bytes(digits: string): Uint8Array {
  return Buffer.from(digits, 'hex');
}

function hex(of: Uint8Array): string {
  return Buffer.from(of).toString('hex');
}
