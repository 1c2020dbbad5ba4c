import type { NetworkConfig } from '../../../config/config.types.js';
import type { ChainIdentity, WatchedCursor } from '../data/ledger.types.js';
import { bitcoinNetwork, servesChain } from '../domain/bitcoin-network.js';
import { WrongChain } from '../node.errors.js';

/** What a node says of its chain. */
export interface AnsweredChain {
  /** EIP-155 id; `null` for networks that are not EVM. */
  readonly chainId: number | null;
  /** What Bitcoin-like nodes call it. */
  readonly chain?: string;
  /** Whether addresses of the network are the node's own, for networks that are Bitcoin-like. */
  readonly ownsPrefix?: boolean;
  readonly genesisHash: string;
}

/**
 * A chain is known by its first block, whatever it is called, and where coins share that one (Bitcoin Cash has Bitcoin's) by
 * the addresses that a node takes for its own. Whoever believes a node asks here first: the watchers, the
 * comparison with the chain, and the search for used addresses.
 * @param standing the network's cursor, which is held to the chain that it began on; `null` before first contact
 * @throws WrongChain
 */
export function mustBeItsChain(
  network: NetworkConfig,
  answered: AnsweredChain,
  standing: Pick<WatchedCursor, 'chainId' | 'genesisHash'> | null,
): ChainIdentity {
  const { chainId, genesisHash } = answered;
  const expected = expectedOf(network, answered);
  if (expected && !expected.includes(genesisHash)) {
    throw new WrongChain(
      `the node of ${network.id} serves a chain whose first block is ${genesisHash}, not ${expected.join(' or ')}: ` +
        'nothing that it says is believed',
    );
  }
  if (network.family !== 'evm' && !answered.ownsPrefix) {
    const { prefix } = bitcoinNetwork(network);
    throw new WrongChain(
      `the node of ${network.id} does not know addresses that begin with "${prefix}1", as those of its network do: ` +
        'nothing that it says is believed',
    );
  }
  if (standing?.genesisHash && (standing.genesisHash !== genesisHash || standing.chainId !== chainId)) {
    throw new WrongChain(
      `the node of ${network.id} serves a chain whose first block is ${genesisHash}; until now it was that of ` +
        `${standing.genesisHash}: nothing that it says is believed`,
    );
  }
  return { chainId, genesisHash };
}

/** @returns first blocks that the network's chain may have; `null` where any will do at first contact */
function expectedOf(network: NetworkConfig, { chainId, chain }: AnsweredChain): readonly string[] | null {
  const { id, family, genesisHash } = network;
  if (family === 'evm') {
    if (chainId !== network.chainId)
      throw new WrongChain(
        `the node of ${id} serves chain ${chainId}, not ${network.chainId}: nothing that it says is believed`,
      );
    return genesisHash === undefined ? null : [genesisHash];
  }
  const bitcoin = bitcoinNetwork(network);
  if (chain === undefined || !servesChain(chain, bitcoin.chain))
    throw new WrongChain(
      `the node of ${id} serves the chain "${chain}", not "${bitcoin.chain}": nothing that it says is believed`,
    );
  return bitcoin.genesisHashes;
}
