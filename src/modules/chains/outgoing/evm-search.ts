import type { NetworkConfig } from '../../../config/config.types.js';
import { errorOf } from '../../../kernel/error-fields.js';
import { entryAt } from '../../../kernel/lookups.js';
import { hexOf } from '../../../kernel/text/hex.js';
import { CheckedNode } from '../evm/node/checked-node.js';
import type { EvmBlock, EvmNode } from '../evm/node/evm-node.types.js';
import { refusalOf } from '../evm/node/refusals.js';
import { RpcNode } from '../evm/node/rpc-node.js';
import { sentIn, type SoughtOn, type SoughtOnEvm } from '../evm/sought-payments.js';
import type { CollectingService } from '../forwarders/collecting.service.js';
import { BlockGone, InconsistentNode } from '../node.errors.js';
import {
  type FoundPayment,
  REFUSED_WITHIN_MS,
  type Searched,
  type SoughtPayment,
} from '../outgoing.types.js';
import type { OwnAddressesRepository } from '../wallets/data/own-addresses.repository.js';
import { mustBeChained } from '../watching/must-be-chained.js';
import { mustFollow, newestFirst, notSearched, partOf, type Search } from './searched.js';

/** Blocks of one look: whoever waits for many networks is not held up by one. */
const BLOCKS_AT_ONCE = 20;

/** Of an asset of the network, by its symbol, whether it is configured still or was once: `null` for coin. */
export type Contracts = (network: string, symbol: string) => Promise<string | null>;

interface NodesOnEvm extends SoughtOn {
  readonly accounts: Pick<EvmNode, 'accountOf'>;
}

/** A search on an EVM network, where a payment is known by its transaction, its sender, or what replaces it. */
export class EvmSearch implements Search {
  private readonly on: NodesOnEvm;
  private readonly node: RpcNode | CheckedNode;

  constructor(
    private readonly network: NetworkConfig,
    private readonly own: OwnAddressesRepository,
    private readonly collecting: CollectingService,
    private readonly contracts: Contracts,
  ) {
    const first = new RpcNode(network.rpcUrl);
    const second = network.secondRpcUrl ? new RpcNode(network.secondRpcUrl) : null;
    this.node = second ? new CheckedNode(first, second) : first;
    this.on = { node: this.node, tracers: second ? [first, second] : [first], accounts: this.node };
  }

  header(height: number) {
    return kept(height, this.node.header(height));
  }

  async search(sought: readonly SoughtPayment[], tip: number): Promise<Searched[]> {
    const read = await this.read(sought);
    return Promise.all(
      sought.map((one) => {
        const blocks = read.get(nameOf(partOf(one, BLOCKS_AT_ONCE))) ?? Promise.resolve([]);
        return this.searchOne(one, blocks, tip).catch((error: unknown) => notSearched(one, errorOf(error)));
      }),
    );
  }

  /** Each from where it is. Most are at the tip, and read the same. */
  private async read(
    sought: readonly SoughtPayment[],
  ): Promise<ReadonlyMap<string, Promise<readonly EvmBlock[]>>> {
    const read = new Map<string, Promise<readonly EvmBlock[]>>();
    for (const i of newestFirst(sought)) {
      const part = partOf(entryAt(sought, i), BLOCKS_AT_ONCE);
      const { from, to } = part;
      if (from > to || read.has(nameOf(part))) continue;
      const askedMs = performance.now();
      // One by one up to a block that is refused.
      for (const last of [to, from]) {
        const reading = this.chained(from, last);
        read.set(nameOf(part), reading);
        const failure = await reading.then(() => null, errorOf);
        if (!failure || failure instanceof InconsistentNode) break;
        if (performance.now() - askedMs > REFUSED_WITHIN_MS) return read;
      }
    }
    return read;
  }

  private async chained(from: number, to: number): Promise<readonly EvmBlock[]> {
    const blocks = await kept(from, this.node.blocks(from, to));
    // Else a look could find on one branch what is not on the other, and call both searched.
    mustBeChained(blocks);
    return blocks;
  }

  /** By its name, and by what it does: a wallet that raises its fee sends another transaction. */
  private async searchOne(
    sought: SoughtPayment,
    blocks: Promise<readonly EvmBlock[]>,
    tip: number,
  ): Promise<Searched> {
    const { txid } = sought;
    if (txid === null) return this.inBlocks(sought, await blocks);
    const found = await this.named(sought, tip);
    const account = sought.account ?? (await this.on.accounts.accountOf(txid));
    const told = account && !sought.account ? { account } : {};
    // What is named may pay another refund: then this one's may be in the blocks all the same.
    const searched = await blocks
      .then((read) => this.inBlocks({ ...sought, account }, read))
      .catch((error: unknown) => notSearched(sought, errorOf(error)));
    return { ...searched, found: [...found, ...searched.found], ...told };
  }

  /** From the merchant's own address, or in place of what was named: another's payment is none of the merchant's. */
  private async inBlocks(sought: SoughtPayment, blocks: readonly EvmBlock[]): Promise<Searched> {
    const last = blocks.at(-1);
    if (!last) return notSearched(sought);
    const asset = await this.assetOf(sought);
    mustFollow(sought, entryAt(blocks, 0));
    const { account, merchantId } = sought;
    const replacing = new Set(
      blocks.flatMap(({ transactions }) =>
        transactions
          .filter(({ sender, nonce }) => account?.sender === sender && nonce === (account.nonce ?? nonce))
          .map(({ txid }) => txid),
      ),
    );
    const found: FoundPayment[] = [];
    for (const { sender, ...payment } of await sentIn(this.on, blocks, { ...sought, txid: null, asset })) {
      const isReplacement = replacing.has(payment.txid);
      if (isReplacement || (await this.own.isOwn(merchantId, 'evm', sender)))
        found.push({ ...payment, isReplacement });
    }
    return { found, searchedHeight: last.height, searchedHash: last.hash };
  }

  private async assetOf({ asset: symbol }: SoughtPayment): Promise<SoughtOnEvm['asset']> {
    const configured = this.network.assets.find((asset) => asset.symbol === symbol);
    return configured ?? { contract: await this.contracts(this.network.id, symbol) };
  }

  /** From any wallet: whoever named it says that it is theirs, and nobody else here can say that it is not. */
  private async named(sought: SoughtPayment, tip: number): Promise<FoundPayment[]> {
    const { askedHeight } = sought;
    const mined = sought.txid ? await this.collecting.mined(this.network.id, hexOf(sought.txid)) : null;
    if (!mined?.hasSucceeded || mined.height > tip || mined.height <= askedHeight) return [];
    const blocks = await kept(mined.height, this.node.blocks(mined.height, mined.height));
    const sent = await sentIn(this.on, blocks, { ...sought, asset: await this.assetOf(sought) });
    return sent.map(({ txid, output, height, hash }) => ({ txid, output, height, hash }));
  }
}

/** @throws BlockGone where the node says that it does not keep it any more */
async function kept<T>(height: number, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw refusalOf(error) === 'pruned' ? new BlockGone(height, { cause: error }) : error;
  }
}

const nameOf = ({ from, to }: ReturnType<typeof partOf>) => `${from} ${to}`;
