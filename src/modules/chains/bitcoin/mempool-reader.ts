import type { Alongside, Cursor } from '../data/ledger.types.js';
import type { BitcoinNetwork } from '../domain/bitcoin-network.js';
import type { Finds } from '../watching/followed-chain.types.js';
import type { BitcoinNode } from './bitcoin-node.types.js';
import { displacedBy, listsAny, mempoolChanges } from './conflicts.js';
import type { SpendsRepository } from './data/spends.repository.js';
import type { OwnPayments } from './own-payments.js';

/** A full mempool after a start has 100,000 transactions and more: read in parts, so that each is written early. */
const MOST_AT_ONCE = 2_000;

export interface MempoolPart {
  /** Whether everything that waits has been looked at; `blind` where the node lists what it does not tell. */
  readonly sight: Finds['sight'];
  /** Writes what is new; absent when nothing is. */
  readonly write?: Alongside;
  /** To be called once that is committed: then these transactions are not fetched again. */
  readonly remember: () => void;
}

/** Sees new transactions by difference: the list of all that wait is asked for at every look, its contents once. */
export class MempoolReader {
  private known: ReadonlySet<string> = new Set();

  constructor(
    private readonly network: BitcoinNetwork,
    private readonly node: BitcoinNode,
    private readonly own: OwnPayments,
    private readonly spends: SpendsRepository,
  ) {}

  /** After a reorganisation, which another leader may have seen: what a mined transaction replaced may wait again. */
  forget(): void {
    this.known = new Set();
  }

  /** @returns `null` when the node's tip is no longer the cursor's: what left the mempool may be in a block then */
  async read(cursor: Cursor): Promise<MempoolPart | null> {
    const { txids, tipHash } = await this.node.mempool();
    if (tipHash !== cursor.hash) return null;
    const unread = txids.filter((txid) => !this.known.has(txid));
    const asked = unread.slice(0, MOST_AT_ONCE);
    const transactions = await this.node.waiting(asked);
    const { transfers, spending } = await this.own.inMempool(transactions);
    const { id: network, family } = this.network;
    // The stored rows decide, not what this process remembers: another instance may have written them.
    const outstanding = await this.spends.outstanding(network);
    const changes = mempoolChanges(new Set(txids), outstanding);
    const displaced = displacedBy(transactions, outstanding);
    const isQuiet = transfers.length + changes.left.length + changes.returned.length + displaced.length === 0;
    const write = { network, family, transfers, spending, displaced, ...changes };
    const fetched = new Set(transactions.map(({ txid }) => txid));
    const untold = asked.filter((txid) => !fetched.has(txid));
    // What was listed and is not told has left since, or the node hides it, such as one of several behind one address.
    const now = untold.length === 0 ? { txids: [], tipHash } : await this.node.mempool();
    if (now.tipHash !== cursor.hash) return null;
    const isHiding = listsAny(now.txids, untold);
    return {
      sight: asked.length < unread.length ? 'partial' : isHiding ? 'blind' : 'whole',
      ...(isQuiet ? {} : { write: (tx, sight) => this.spends.writeMempool(tx, write, sight) }),
      remember: () => (this.known = new Set([...txids.filter((txid) => this.known.has(txid)), ...fetched])),
    };
  }
}
