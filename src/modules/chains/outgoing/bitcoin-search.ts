import type { NetworkConfig } from '../../../config/config.types.js';
import { errorOf } from '../../../kernel/error-fields.js';
import { entryAt } from '../../../kernel/lookups.js';
import type { SentAt } from '../bitcoin/bitcoin-node.types.js';
import { coreNodes } from '../bitcoin/core-nodes.js';
import { isPruned } from '../bitcoin/core-rpc.js';
import { BlockGone } from '../node.errors.js';
import { REFUSED_WITHIN_MS, type Searched, type SoughtPayment } from '../outgoing.types.js';
import { heightsIn, isAfter, newestFirst, notLinked, notSearched, partOf, type Search } from './searched.js';

/** As on EVM networks; a block is larger, and asked for as a whole. */
const BLOCKS_AT_ONCE = 4;

/** A search on a Bitcoin-like network, where a payment is known by its output alone. */
export class BitcoinSearch implements Search {
  private readonly node: ReturnType<typeof coreNodes>['node'];

  constructor(network: NetworkConfig) {
    this.node = coreNodes(network).node;
  }

  header(height: number) {
    return this.node.header(height);
  }

  async search(sought: readonly SoughtPayment[]): Promise<Searched[]> {
    const searched: Searched[] = sought.map((one) => notSearched(one));
    const read = new Map<number, Promise<SentAt>>();
    const sentAt = (height: number) => {
      const sent = read.get(height) ?? this.sentAt(height, sought);
      read.set(height, sent);
      return sent;
    };
    // Each from where it is. Most are at the tip, and read the same.
    for (const i of newestFirst(sought)) {
      const askedMs = performance.now();
      const one = await searchOne(entryAt(sought, i), i, sentAt);
      searched[i] = one;
      if (one.failure && performance.now() - askedMs > REFUSED_WITHIN_MS) break;
    }
    return searched;
  }

  private async sentAt(height: number, sought: readonly SoughtPayment[]): Promise<SentAt> {
    try {
      return await this.node.sentAt(height, sought);
    } catch (error) {
      throw isPruned(error) ? new BlockGone(height, { cause: error }) : error;
    }
  }
}

/** @param i its place among what is sought together */
async function searchOne(
  sought: SoughtPayment,
  i: number,
  sentAt: (height: number) => Promise<SentAt>,
): Promise<Searched> {
  let searched = notSearched(sought);
  for (const height of heightsIn(partOf(sought, BLOCKS_AT_ONCE))) {
    const sent = await sentAt(height).catch(errorOf);
    // Up to what is refused it is searched; where blocks belong to two branches, in none of them.
    if (sent instanceof Error) return { ...searched, failure: sent };
    const { hash, parentHash, found } = sent;
    if (!isAfter(searched, { height, parentHash })) return notSearched(sought, notLinked(height));
    searched = {
      found: [...searched.found, ...entryAt(found, i)],
      searchedHeight: height,
      searchedHash: hash,
    };
  }
  return searched;
}
