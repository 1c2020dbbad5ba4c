import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { encodeFunctionData, erc20Abi, getAddress, numberToHex, type Address, type Hex } from 'viem';
import { CONFIG, type Config, type NetworkConfig } from '../../config/config.types.js';
import { CheckedBitcoinNode } from './bitcoin/checked-bitcoin-node.js';
import { CoreNode } from './bitcoin/core-node.js';
import { CoreRpc } from './bitcoin/core-rpc.js';
import { sentAt } from './bitcoin/sought-payments.js';
import { CollectingService } from './forwarders/collecting.service.js';
import { FactsRepository } from './data/facts.repository.js';
import { refusalOf } from './domain/destination.js';
import { KEPT_BLOCKS } from './data/ledger.repository.js';
import { OwnAddressesRepository } from './wallets/data/own-addresses.repository.js';
import { CheckedNode } from './evm/node/checked-node.js';
import type { EvmBlock } from './evm/node/evm-node.types.js';
import { RpcNode } from './evm/node/rpc-node.js';
import { sentIn, type SoughtOn } from './evm/sought-payments.js';
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
    if (!network || !asset || network.chainId === null) return null;
    const { chainId } = network;
    if (asset.contract === null) return { chainId, to, data: '0x', value: numberToHex(atoms) };
    const args = [to as Address, atoms] as const;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
    return { chainId, to: asset.contract, data, value: '0x0' };
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
    return nodes.search(await Promise.all(sought.map((one) => this.backed(network, one))), tip);
  }

  private async backed(network: string, sought: SoughtPayment): Promise<SoughtPayment> {
    const { askedHeight, searchedHeight: height, searchedHash: hash } = sought;
    if (hash === null || (await this.isOnChain(network, { height, hash })) !== false) return sought;
    return { ...sought, searchedHeight: Math.max(askedHeight, height - KEPT_BLOCKS), searchedHash: null };
  }

  /**
   * Whether the block is on the chain still; `null` where nobody can say: the node has no block of that height now, or
   * the network is configured no more.
   * @throws where the node does not answer
   */
  async isOnChain(
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
    const nodes = { node, tracers: second ? [first, second] : [first] };
    return {
      header: (height) => node.header(height),
      search: async (sought, tip) => {
        // Each from where it is: one that cannot get on keeps none behind. Most are at the tip, and read the same.
        const read = new Map<number, readonly EvmBlock[]>();
        for (const { txid, searchedHeight } of sought) {
          const to = Math.min(tip, searchedHeight + BLOCKS_AT_ONCE.evm);
          if (txid === null && searchedHeight < to && !read.has(searchedHeight))
            read.set(searchedHeight, await node.blocks(searchedHeight + 1, to));
        }
        return Promise.all(
          sought.map((one) =>
            (one.txid === null
              ? this.inBlocks(network, nodes, one, read.get(one.searchedHeight) ?? [])
              : this.named(network, nodes, one, tip)
            ).catch((error: unknown) => notSearched(one, error)),
          ),
        );
      },
    };
  }

  /** Another's payment of the same amount to the same address is none of the merchant's. */
  private async inBlocks(
    { assets }: NetworkConfig,
    nodes: SoughtOn,
    sought: SoughtPayment,
    blocks: readonly EvmBlock[],
  ): Promise<Searched> {
    const asset = assets.find(({ symbol }) => symbol === sought.asset);
    const last = blocks.at(-1);
    if (!asset || !last) return notSearched(sought);
    const found: FoundPayment[] = [];
    for (const { sender, ...payment } of await sentIn(nodes, blocks, { ...sought, asset }))
      if (await this.own.isOwn(sought.merchantId, 'evm', sender)) found.push(payment);
    return { found, searchedHeight: last.height, searchedHash: last.hash };
  }

  /** From any wallet: but what another merchant here sends is its own refund. */
  private async named(
    { id, assets }: NetworkConfig,
    nodes: SoughtOn,
    sought: SoughtPayment,
    tip: number,
  ): Promise<Searched> {
    const { searchedHeight, searchedHash, askedHeight, merchantId } = sought;
    const asset = assets.find(({ symbol }) => symbol === sought.asset);
    const mined = asset ? await this.collecting.mined(id, sought.txid as Hex) : null;
    if (!asset || !mined?.hasSucceeded || mined.height > tip || mined.height <= askedHeight)
      return notSearched(sought);
    const blocks = await nodes.node.blocks(mined.height, mined.height);
    const found: FoundPayment[] = [];
    for (const { sender, ...payment } of await sentIn(nodes, blocks, { ...sought, asset }))
      if (!(await this.own.isOnlyAnothers(merchantId, 'evm', sender))) found.push(payment);
    return { found, searchedHeight, searchedHash };
  }

  private onBitcoin({ rpcUrl, secondRpcUrl }: NetworkConfig): Nodes {
    const rpc = new CoreRpc(rpcUrl);
    const first = new CoreNode(rpc);
    const node = secondRpcUrl
      ? new CheckedBitcoinNode(first, new CoreNode(new CoreRpc(secondRpcUrl)))
      : first;
    return {
      header: (height) => node.header(height),
      search: async (sought, tip) => {
        let searched: Searched[] = sought.map((one) => notSearched(one));
        const from = Math.min(tip, ...sought.map(({ searchedHeight }) => searchedHeight)) + 1;
        for (let height = from; height <= Math.min(tip, from + BLOCKS_AT_ONCE.bitcoin - 1); height += 1) {
          const { hash, found } = await sentAt(rpc, height, sought);
          searched = searched.map((before, i) =>
            height <= before.searchedHeight
              ? before
              : { found: [...before.found, ...found[i]!], searchedHeight: height, searchedHash: hash },
          );
        }
        return searched;
      },
    };
  }
}

function notSearched({ searchedHeight, searchedHash }: SoughtPayment, error?: unknown): Searched {
  const failure =
    error === undefined || error instanceof Error
      ? error
      : new Error('it could not be searched for', { cause: error });
  return { found: [], searchedHeight, searchedHash, ...(failure && { failure }) };
}
