import type { ChainIdentity, WatchedCursor } from '../data/ledger.types.js';
import { WrongChain } from './node-failure.js';

/**
 * A chain is known by its first block, never by what it is called.
 * @param expected first blocks that it may have; `null` where any will do at first contact
 * @param standing the network's cursor, which is held to the chain that it began on
 * @throws WrongChain
 */
export function mustBeItsChain(
  network: string,
  { chainId, genesisHash }: ChainIdentity,
  expected: readonly string[] | null,
  standing: Pick<WatchedCursor, 'chainId' | 'genesisHash'> | null,
): void {
  if (expected && !expected.includes(genesisHash)) {
    throw new WrongChain(
      `the node of ${network} serves a chain whose first block is ${genesisHash}, not ${expected.join(' or ')}: it ` +
        'is not watched',
    );
  }
  if (!standing?.genesisHash) return;
  if (standing.genesisHash !== genesisHash || standing.chainId !== chainId) {
    throw new WrongChain(
      `the node of ${network} serves a chain whose first block is ${genesisHash}; until now it was that of ` +
        `${standing.genesisHash}: it is not watched`,
    );
  }
}
