import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { getAddress } from 'viem';
import { hexOf } from '../../kernel/text/hex.js';
import { entryAt } from '../../kernel/lookups.js';
import { CONFIG, type Config, type NetworkConfig } from '../../config/config.types.js';
import { coreNodes } from './bitcoin/core-nodes.js';
import { CollectingService } from './forwarders/collecting.service.js';
import { FactsRepository } from './data/facts.repository.js';
import { transferCall } from './domain/addresses/transfer-call.js';
import { refusalOf } from './domain/destination.js';
import { KEPT_BLOCKS } from './data/ledger.repository.js';
import { OwnAddressesRepository } from './wallets/data/own-addresses.repository.js';
import { CheckedNode } from './evm/node/checked-node.js';
import type { EvmBlock, EvmHeader, EvmNode } from './evm/node/evm-node.types.js';
import { RpcNode } from './evm/node/rpc-node.js';
import { sentIn, type SoughtOn } from './evm/sought-payments.js';
import { InconsistentNode } from './node.errors.js';
import { mustBeChained } from './watching/must-be-chained.js';
import type { FoundPayment, Searched, SoughtPayment, TransferCall } from './outgoing.types.js';

/** Blocks of one look: whoever waits for many networks is not held up by one. */
const BLOCKS_AT_ONCE = { evm: 20, bitcoin: 4 } as const;

interface PaidTo {
  readonly merchantId: string;
  readonly network: string;
  /** In its normal spelling. */
  readonly address: string;
}

interface Nodes {
  readonly header: (height: number) => Promise<{ readonly hash: string } | null>;
  readonly search: (sought: readonly SoughtPayment[], tip: number) => Promise<Searched[]>;
}

/**
 * Payments that merchants send with their own wallets, found in blocks that the watcher has passed. Nothing is recorded
 * here: whoever waits for one keeps what was found.
 */
@Injectable()
export class OutgoingService {
  private readonly nodes: ReadonlyMap<string, Nodes>;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly dataSource: DataSource,
    private readonly facts: FactsRepository,
    private readonly own: OwnAddressesRepository,
    private readonly collecting: CollectingService,
  ) {
    this.nodes = new Map(
      config.networks.map((network) => [
        network.id,
        network.family === 'evm' ? this.onEvm(network) : this.onBitcoin(network),
      ]),
    );
  }

  /** How far the watcher is; `null` before its first block. */
  async height(network: string, on: DataSource | EntityManager = this.dataSource): Promise<number | null> {
    return (await this.facts.standings(on)).get(network)?.standing?.height ?? null;
  }

  /** Why nothing is paid there: it is lost, or it comes round again. */
  async refusalOf(
    tx: EntityManager,
    { merchantId, network: networkId, address }: PaidTo,
  ): Promise<string | null> {
    const network = this.config.networks.find(({ id }) => id === networkId);
    if (!network) return 'its network is not configured';
    const isEvm = network.family === 'evm';
    const lost = isEvm ? refusalOf(getAddress(address), this.config.networks) : null;
    if (lost !== null) return lost;
    const written = isEvm ? address.toLowerCase() : address;
    return (await this.own.isOwn(merchantId, network.family, written, tx)) ? 'it is your own' : null;
  }

  /** `null` where wallets in browsers do not pay. */
  transferCall(networkId: string, symbol: string, to: string, atoms: bigint): TransferCall | null {
    const network = this.config.networks.find(({ id }) => id === networkId);
    const asset = network?.assets.find((one) => one.symbol === symbol);
    return network && asset ? transferCall(network, asset, to, atoms) : null;
  }

  /**
   * A part of the blocks that have not been searched; what is sought on one network, in its order. What a reorganisation
   * has replaced is searched again.
   * @throws where the node does not answer: then nothing was searched. Where it fails at one of them, that one says so
   */
  async search(network: string, sought: readonly SoughtPayment[]): Promise<Searched[]> {
    const tip = await this.height(network);
    const nodes = this.nodes.get(network);
    if (tip === null || !nodes) return sought.map((one) => notSearched(one));
    const backed = await Promise.all(sought.map((one) => this.backed(network, one)));
    return nodes.search(
      backed.map((one) => ({ ...one, upTo: Math.min(tip, one.upTo ?? tip) })),
      tip,
    );
  }

  private async backed(network: string, sought: SoughtPayment): Promise<SoughtPayment> {
    const { askedHeight, searchedHeight: height, searchedHash: hash } = sought;
    if (hash === null || (await this.onNode(network, { height, hash })) !== false) return sought;
    return { ...sought, searchedHeight: Math.max(askedHeight, height - KEPT_BLOCKS), searchedHash: null };
  }

  /**
   * Whether the block is on the chain still; `null` where nobody can say: the node has no block of that height now, the
   * watcher has passed another one there, or the network is configured no more.
   * @throws where the node does not answer
   */
  async isOnChain(network: string, block: Pick<FoundPayment, 'height' | 'hash'>): Promise<boolean | null> {
    const isThere = await this.onNode(network, block);
    if (isThere !== true) return isThere;
    const passed = await this.facts.passedHash(network, block.height);
    return passed === null || passed === block.hash ? true : null;
  }

  private async onNode(
    network: string,
    { height, hash }: Pick<FoundPayment, 'height' | 'hash'>,
  ): Promise<boolean | null> {
    const header = await this.nodes.get(network)?.header(height);
    return header ? header.hash === hash : null;
  }

  private onEvm(network: NetworkConfig): Nodes {
    const first = new RpcNode(network.rpcUrl);
    const second = network.secondRpcUrl ? new RpcNode(network.secondRpcUrl) : null;
    const node = second ? new CheckedNode(first, second) : first;
    const on: NodesOnEvm = { node, tracers: second ? [first, second] : [first], accounts: node };
    return {
      header: (height) => node.header(height),
      search: async (sought, tip) => {
        // Each from where it is: one that cannot get on keeps none behind. Most are at the tip, and read the same.
        const read = new Map<string, readonly EvmBlock[]>();
        for (const one of sought) {
          const { from, to } = partOf(one, BLOCKS_AT_ONCE.evm);
          if (from > to || read.has(`${from} ${to}`)) continue;
          const blocks = await node.blocks(from, to);
          // Else a look could find on one branch what is not on the other, and call both searched.
          mustBeChained(blocks);
          read.set(`${from} ${to}`, blocks);
        }
        return Promise.all(
          sought.map((one) => {
            const { from, to } = partOf(one, BLOCKS_AT_ONCE.evm);
            return this.searchOne(network, on, one, read.get(`${from} ${to}`) ?? [], tip).catch(
              (error: unknown) => notSearched(one, error),
            );
          }),
        );
      },
    };
  }

  /** By its name, and by what it does: a wallet that raises its fee sends another transaction. */
  private async searchOne(
    network: NetworkConfig,
    on: NodesOnEvm,
    sought: SoughtPayment,
    blocks: readonly EvmBlock[],
    tip: number,
  ): Promise<Searched> {
    const { txid } = sought;
    if (txid === null) return this.inBlocks(network, on, sought, blocks);
    const found = await this.named(network, on, sought, tip);
    const account = sought.account ?? (await on.accounts.accountOf(txid));
    const told = account && !sought.account ? { account } : {};
    if (found.length > 0) return { ...notSearched(sought), found, ...told };
    return { ...(await this.inBlocks(network, on, { ...sought, account }, blocks)), ...told };
  }

  /** From the merchant's own address, or in place of what was named: another's payment is none of the merchant's. */
  private async inBlocks(
    { assets }: NetworkConfig,
    on: SoughtOn,
    sought: SoughtPayment,
    blocks: readonly EvmBlock[],
  ): Promise<Searched> {
    const asset = assets.find(({ symbol }) => symbol === sought.asset);
    const last = blocks.at(-1);
    if (!asset || !last) return notSearched(sought);
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
    for (const { sender, ...payment } of await sentIn(on, blocks, { ...sought, txid: null, asset })) {
      const isReplacement = replacing.has(payment.txid);
      if (isReplacement || (await this.own.isOwn(merchantId, 'evm', sender)))
        found.push({ ...payment, isReplacement });
    }
    return { found, searchedHeight: last.height, searchedHash: last.hash };
  }

  /** From any wallet: whoever named it says that it is theirs, and nobody else here can say that it is not. */
  private async named(
    { id, assets }: NetworkConfig,
    on: SoughtOn,
    sought: SoughtPayment,
    tip: number,
  ): Promise<FoundPayment[]> {
    const { askedHeight } = sought;
    const asset = assets.find(({ symbol }) => symbol === sought.asset);
    const mined = asset && sought.txid ? await this.collecting.mined(id, hexOf(sought.txid)) : null;
    if (!asset || !mined?.hasSucceeded || mined.height > tip || mined.height <= askedHeight) return [];
    const blocks = await on.node.blocks(mined.height, mined.height);
    const sent = await sentIn(on, blocks, { ...sought, asset });
    return sent.map(({ txid, output, height, hash }) => ({ txid, output, height, hash }));
  }

  private onBitcoin(network: NetworkConfig): Nodes {
    const { node } = coreNodes(network);
    return {
      header: (height) => node.header(height),
      search: async (sought) => {
        const searched: Searched[] = sought.map((one) => notSearched(one));
        const heights = new Set(sought.flatMap((one) => heightsIn(partOf(one, BLOCKS_AT_ONCE.bitcoin))));
        for (const height of [...heights].sort((a, b) => a - b)) {
          // Each from where it is: one that is far behind keeps none waiting.
          const here = sought.map((one) => heightsIn(partOf(one, BLOCKS_AT_ONCE.bitcoin)).includes(height));
          const { hash, parentHash, found } = await node.sentAt(height, sought);
          for (const [i, before] of searched.entries()) {
            if (!here[i] || before.failure) continue;
            searched[i] = isAfter(before, { height, parentHash })
              ? { found: [...before.found, ...entryAt(found, i)], searchedHeight: height, searchedHash: hash }
              : notSearched(entryAt(sought, i), notLinked(height));
          }
        }
        return searched;
      },
    };
  }
}

interface NodesOnEvm extends SoughtOn {
  readonly accounts: Pick<EvmNode, 'accountOf'>;
}

/** Blocks of the next look. */
function partOf({ searchedHeight, upTo }: SoughtPayment, most: number) {
  return { from: searchedHeight + 1, to: Math.min(upTo ?? searchedHeight, searchedHeight + most) };
}

const heightsIn = ({ from, to }: ReturnType<typeof partOf>) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

type Follows = Pick<EvmHeader, 'height' | 'parentHash'>;

/** Nothing is known of the block before where none was looked at yet. */
function isAfter(
  { searchedHeight, searchedHash }: Pick<Searched, 'searchedHeight' | 'searchedHash'>,
  { height, parentHash }: Follows,
): boolean {
  return searchedHash === null || searchedHeight !== height - 1 || parentHash === searchedHash;
}

/** @throws InconsistentNode where it is on another branch than what was searched before */
function mustFollow(sought: SoughtPayment, first: Follows): void {
  if (!isAfter(sought, first)) throw notLinked(first.height);
}

const notLinked = (height: number) =>
  new InconsistentNode(`block ${height} does not follow the block that was searched before it`);

function notSearched({ searchedHeight, searchedHash }: SoughtPayment, error?: unknown): Searched {
  const failure =
    error === undefined || error instanceof Error
      ? error
      : new Error('it could not be searched for', { cause: error });
  return { found: [], searchedHeight, searchedHash, ...(failure && { failure }) };
}
