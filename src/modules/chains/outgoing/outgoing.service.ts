import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { getAddress } from 'viem';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { errorOf } from '../../../kernel/error-fields.js';
import { paired, valueAt } from '../../../kernel/lookups.js';
import { FactsRepository } from '../data/facts.repository.js';
import { KnownAssetsRepository } from '../data/known-assets.repository.js';
import { KEPT_BLOCKS } from '../data/ledger.repository.js';
import { NATIVE } from '../domain/asset-key.js';
import { whyNotPayable } from '../domain/destination.js';
import { networkState } from '../domain/network-state.js';
import { CollectingService } from '../forwarders/collecting.service.js';
import { BlockGone } from '../node.errors.js';
import type { FoundPayment, Searched, SoughtPayment, TransferCall } from '../outgoing.types.js';
import { OwnAddressesRepository } from '../wallets/data/own-addresses.repository.js';
import { BitcoinSearch } from './bitcoin-search.js';
import { EvmSearch } from './evm-search.js';
import { notSearched, type Search } from './searched.js';
import { transferCall } from './transfer-call.pure.js';

interface PaidTo {
  readonly merchantId: string;
  readonly network: string;
  /** In its normal spelling. */
  readonly address: string;
}

/**
 * Payments that merchants send with their own wallets, found in blocks that the watcher has passed. Nothing is recorded
 * here: whoever waits for one keeps what was found.
 */
@Injectable()
export class OutgoingService {
  private readonly nodes: ReadonlyMap<string, Search>;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly dataSource: DataSource,
    private readonly facts: FactsRepository,
    private readonly own: OwnAddressesRepository,
    known: KnownAssetsRepository,
    collecting: CollectingService,
  ) {
    const contractOf = async (network: string, symbol: string) => {
      const key = await known.keyOf(this.dataSource, network, symbol);
      return key === NATIVE ? null : key;
    };
    this.nodes = new Map(
      config.networks.map((network) => [
        network.id,
        network.family === 'evm'
          ? new EvmSearch(network, own, collecting, contractOf)
          : new BitcoinSearch(network),
      ]),
    );
  }

  /** How far the watcher is; `null` before its first block. */
  async height(network: string, on: DataSource | EntityManager = this.dataSource): Promise<number | null> {
    return (await this.facts.standings(on)).get(network)?.standing?.height ?? null;
  }

  /** Whether the watcher stands where the network is now: else blocks that were searched are not all that there are. */
  async isUpToDate(id: string): Promise<boolean> {
    const network = this.config.networks.find((one) => one.id === id);
    const standing = (await this.facts.standings(this.dataSource)).get(id)?.standing ?? null;
    return network !== undefined && networkState(network, standing) === 'open';
  }

  /** Why nothing is paid there: it is lost, or it comes round again. */
  async refusalOf(
    tx: EntityManager,
    { merchantId, network: networkId, address }: PaidTo,
  ): Promise<string | null> {
    const network = this.config.networks.find(({ id }) => id === networkId);
    if (!network) return 'its network is not configured';
    const isEvm = network.family === 'evm';
    const lost = isEvm ? whyNotPayable(getAddress(address), this.config.networks) : null;
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
   * @returns of each what was found, or why it could not be searched for; nothing of either where the node did not answer
   * for one before it
   */
  async search(network: string, sought: readonly SoughtPayment[]): Promise<Searched[]> {
    const tip = await this.height(network);
    const nodes = this.nodes.get(network);
    if (tip === null || !nodes) return sought.map((one) => notSearched(one));
    const headers = await this.headersOf(nodes, sought);
    const each = sought.map((one) => backed(one, headers));
    const searchable = each.filter((one): one is SoughtPayment => !(one instanceof Error));
    const searched = await nodes.search(
      searchable.map((one) => ({ ...one, upTo: Math.min(tip, one.upTo ?? tip) })),
      tip,
    );
    const found = new Map(paired(searchable, searched));
    return paired(sought, each).map(([one, from]) =>
      from instanceof Error ? notSearched(one, from) : valueAt(found, from),
    );
  }

  /** Up to where they were searched, which for most is the same block, as the chain has them now; or why its node does not say. */
  private async headersOf(nodes: Search, sought: readonly SoughtPayment[]): Promise<Headers> {
    const searched = sought.filter(({ searchedHash }) => searchedHash !== null);
    const heights = [...new Set(searched.map(({ searchedHeight }) => searchedHeight))];
    const headers = await Promise.all(heights.map((height) => nodes.header(height).catch(errorOf)));
    return new Map(paired(heights, headers));
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
}

type Headers = ReadonlyMap<number, { readonly hash: string } | Error | null>;

/** @returns from where on it is to be searched now; or why nobody can say */
function backed(sought: SoughtPayment, headers: Headers): SoughtPayment | Error {
  const { askedHeight, searchedHeight, searchedHash } = sought;
  const header = searchedHash === null ? null : headers.get(searchedHeight);
  // Of a block that no node keeps any more, the one after it says whether it follows.
  if (!header || header instanceof BlockGone) return sought;
  if (header instanceof Error) return header;
  if (header.hash === searchedHash) return sought;
  return {
    ...sought,
    searchedHeight: Math.max(askedHeight, searchedHeight - KEPT_BLOCKS),
    searchedHash: null,
  };
}
