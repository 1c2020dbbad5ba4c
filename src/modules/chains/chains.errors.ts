import { DomainError } from '../../kernel/domain-error.js';

export function privateKeyRefused(): DomainError {
  return new DomainError(
    'invalid',
    'private-key-refused',
    'This is a private key or a seed phrase. It was not stored, and Rappen never needs one: paste the extended ' +
      'public key of the account. Treat what you pasted as exposed.',
  );
}

export function invalidExtendedKey(reason: string): DomainError {
  return new DomainError(
    'invalid',
    'invalid-extended-key',
    `The extended public key was refused: ${reason}.`,
  );
}

export function walletKeyInUse(): DomainError {
  return new DomainError(
    'conflict',
    'wallet-key-in-use',
    'This extended public key is already in use by another merchant or for another kind of network. Two of them ' +
      'would be given the same addresses, so that nobody could tell whose money it is.',
  );
}

export function invalidDestination(reason: string): DomainError {
  return new DomainError('invalid', 'invalid-destination', `The address was refused: ${reason}.`);
}

export function noForwarders(network: string, reason: string): DomainError {
  return new DomainError(
    'invalid',
    'no-deposit-addresses',
    `${network} takes an extended public key: ${reason}.`,
  );
}

export function deploymentFailed(reason: string): DomainError {
  return new DomainError('unavailable', 'deployment-failed', `Nothing was deployed: ${reason}.`);
}

export function collectingFailed(reason: string): DomainError {
  return new DomainError('unavailable', 'collecting-failed', `Not collected: ${reason}.`);
}

export function noKeyWallet(network: string): DomainError {
  return new DomainError(
    'conflict',
    'no-key-wallet',
    `The merchant is paid to one address on ${network}; its deposit addresses have no indexes.`,
  );
}

export function noWallet(network: string): DomainError {
  return new DomainError('conflict', 'no-wallet', `The merchant has no wallet for ${network}.`);
}

export function walletUnsearched(network: string): DomainError {
  return new DomainError(
    'unavailable',
    'wallet-unsearched',
    `The node of ${network} has yet to say which addresses of the merchant's key were used before. No address is given ` +
      'out until then; the search goes on by itself.',
  );
}

export function unknownNetwork(network: string): DomainError {
  return new DomainError('invalid', 'unknown-network', `There is no network "${network}" in this instance.`);
}

export function indexBehind(nextIndex: number): DomainError {
  return new DomainError(
    'conflict',
    'index-behind',
    `The next index is already ${nextIndex}, and an address is never issued twice: indexes only move forward.`,
  );
}

export function invalidIndex(): DomainError {
  return new DomainError('invalid', 'invalid-index', 'An index is an integer from 0 to 2147483646.');
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
    'This address was issued to a buyer of another merchant: what it sends is never the money of this one.',
  );
}

export function noOwnAddress(): DomainError {
  return new DomainError(
    'not_found',
    'no-own-address',
    'The merchant has not named this address as its own.',
  );
}
