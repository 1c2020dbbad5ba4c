import { about, DomainError, notFound } from '../../kernel/domain-error.js';

export function privateKeyRefused(): DomainError {
  const detail =
    'This is a private key or a seed phrase. It was not stored, and Rappen never needs one: paste the extended ' +
    'public key of the account. Treat what you pasted as exposed.';
  return new DomainError('invalid', 'private-key-refused', detail, about('xpub', detail));
}

/** @param detail what is wrong, and what to do instead: whoever reads it has a wallet, and no handbook */
export function invalidExtendedKey(detail: string): DomainError {
  return new DomainError('invalid', 'invalid-extended-key', detail, about('xpub', detail));
}

export function walletKeyInUse(): DomainError {
  const detail =
    'This extended public key is already in use by another merchant or for another kind of network. Two of them ' +
    'would be given the same addresses, so that nobody could tell whose money it is.';
  return new DomainError('conflict', 'wallet-key-in-use', detail, about('xpub', detail));
}

export function invalidDestination(reason: string): DomainError {
  const detail = `The address was refused: ${reason}.`;
  return new DomainError('invalid', 'invalid-destination', detail, about('address', detail));
}

export function issuedDestination(): DomainError {
  return invalidDestination('it was issued to a buyer as a deposit address; name the wallet behind it');
}

export function noForwarders(network: string, reason: string): DomainError {
  const detail = `${network} takes an extended public key: ${reason}.`;
  return new DomainError('invalid', 'no-deposit-addresses', detail, about('network', detail));
}

export function deploymentFailed(reason: string): DomainError {
  return new DomainError('unavailable', 'deployment-failed', `Nothing was deployed: ${reason}.`);
}

export function collectingFailed(reason: string): DomainError {
  return new DomainError('unavailable', 'collecting-failed', `Not collected: ${reason}.`);
}

export function noKeyWallet(network: string): DomainError {
  const detail = `The merchant is paid to one address on ${network}; its deposit addresses have no indexes.`;
  return new DomainError('conflict', 'no-key-wallet', detail, about('network', detail));
}

export function noWallet(network: string): DomainError {
  const detail = `The merchant has no wallet for ${network}.`;
  return new DomainError('conflict', 'no-wallet', detail, about('network', detail));
}

export function walletUnsearched(network: string): DomainError {
  return new DomainError(
    'unavailable',
    'wallet-unsearched',
    `The node of ${network} has yet to say which addresses of the merchant's key were used before. No address is given ` +
      'out until then; the search goes on by itself.',
  );
}

export function addressNamed(): DomainError {
  return new DomainError(
    'unavailable',
    'address-named',
    'The deposit address of this payment was named by somebody to be paid out to, or as their own. It is given to nobody.',
  );
}

export function unknownNetwork(network: string): DomainError {
  const detail = `There is no network "${network}" in this instance.`;
  return new DomainError('invalid', 'unknown-network', detail, about('network', detail));
}

export function indexBehind(nextIndex: number): DomainError {
  const detail = `The next index is already ${nextIndex}, and an address is never issued twice: indexes only move forward.`;
  return new DomainError('conflict', 'index-behind', detail, about('to', detail));
}

export function invalidIndex(): DomainError {
  const detail = 'An index is an integer from 0 to 2147483646.';
  return new DomainError('invalid', 'invalid-index', detail, about('to', detail));
}

export function underivable(family: string): DomainError {
  return new DomainError(
    'unavailable',
    'network-unavailable',
    `Addresses for ${family} cannot be derived yet.`,
  );
}

export function invalidOwnAddress(network: string): DomainError {
  return new DomainError(
    'invalid',
    'invalid-own-address',
    `This is no address from which money can be known to come on ${network}. On Bitcoin and Litecoin it is a native ` +
      'SegWit address of a single key (bc1q…, ltc1q…); its spelling and network have to be right.',
  );
}

export function ownAddressInUse(): DomainError {
  return new DomainError(
    'conflict',
    'own-address-in-use',
    'This address was issued to a buyer as a deposit address: it is known already whose it is.',
  );
}

export function noOwnAddress(): DomainError {
  return notFound('The merchant has not named this address as its own.', 'no-own-address');
}
