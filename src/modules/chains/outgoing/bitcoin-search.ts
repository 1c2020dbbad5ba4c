import type { NetworkConfig } from '../../../config/config.types.js';
import { entryAt } from '../../../kernel/lookups.js';
import { coreNodes } from '../bitcoin/core-nodes.js';
import { isPruned } from '../bitcoin/core-rpc.js';
import { BlockGone } from '../node.errors.js';
import type { Searched, SoughtPayment } from '../outgoing.types.js';
import { heightsIn, isAfter, notLinked, notSearched, partOf, type Search } from './searched.js';

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
    const parts = sought.map((one) => heightsIn(partOf(one, BLOCKS_AT_ONCE)));
    for (const height of [...new Set(parts.flat())].sort((a, b) => a - b)) {
      // Each from where it is: one that is far behind keeps none waiting.
      const here = parts.map((heights) => heights.includes(height));
      const sent = await this.node.sentAt(height, sought).catch((error: unknown) => {
        if (isPruned(error)) return new BlockGone(height, { cause: error });
        throw error;
      });
      for (const [i, before] of searched.entries()) {
        if (!here[i] || before.failure) continue;
        if (sent instanceof BlockGone) {
          searched[i] = notSearched(entryAt(sought, i), sent);
          continue;
        }
        const { hash, parentHash, found } = sent;
        searched[i] = isAfter(before, { height, parentHash })
          ? { found: [...before.found, ...entryAt(found, i)], searchedHeight: height, searchedHash: hash }
          : notSearched(entryAt(sought, i), notLinked(height));
      }
    }
    return searched;
  }
}
