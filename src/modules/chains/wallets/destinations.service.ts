import { Inject, Injectable } from '@nestjs/common';
import type { Address, Hex } from 'viem';
import { CONFIG, type Config, type NetworkConfig } from '../../../config/config.types.js';
import type { By } from '../../../database/by.js';
import { hexOf } from '../../../kernel/text/hex.js';
import { issuedDestination, unknownNetwork } from '../chains.errors.js';
import type { IssuedFrom } from '../chains.types.js';
import { AddressesRepository } from '../data/addresses/addresses.repository.js';
import { mustHaveForwarders, parseDestination } from '../domain/destination.js';
import { verificationRecipe } from '../domain/verification-recipe.js';
import { walletChange } from '../domain/wallet-change.js';
import { askCode } from '../evm/node/node-client.js';
import { refusedPayouts } from '../evm/refused-payouts.js';
import { clientOf } from '../evm/transactions.js';
import { DETERMINISTIC_DEPLOYER } from '../factory-deployment.types.js';
import { forwarderFactory } from '../forwarders.types.js';
import type {
  AddressWallet,
  DestinationLook,
  DestinationPreview,
  DestinationView,
} from '../wallets.types.js';
import { DestinationsRepository } from './data/destinations.repository.js';
import { WalletsRepository } from './data/wallets.repository.js';

/** Somebody waits. */
const TIMEOUT_MS = 5_000;
/** An account that lets a contract act for it has this and the contract's address for code (EIP-7702). */
const DELEGATION = '0xef0100';

export interface WantedDestination {
  readonly merchantId: string;
  readonly network: string;
  readonly address: string;
}

/** EVM wallets by one address (ADR 50). */
@Injectable()
export class DestinationsService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly rows: DestinationsRepository,
    private readonly wallets: WalletsRepository,
    private readonly addresses: AddressesRepository,
  ) {}

  /** The merchant's, also those that were replaced; in the order in which they came. */
  list(merchantId: string): Promise<DestinationView[]> {
    return this.rows.list(merchantId);
  }

  /** What was issued for a destination of this merchant, the latest first. @param before an address: only older ones */
  issuedFor(
    merchantId: string,
    destinationId: string,
    before: string | null,
    limit: number,
  ): Promise<IssuedFrom[]> {
    return this.addresses.issuedFor(merchantId, destinationId, before, limit);
  }

  /** Whether a network can be paid to one address. */
  isOffered(network: NetworkConfig): boolean {
    try {
      mustHaveForwarders(network);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * What `set` would do, and what the node says of the address. Changes nothing.
   * @throws DomainError as `set`
   */
  async preview(wanted: WantedDestination): Promise<DestinationPreview> {
    const { network, destination } = await this.read(wanted);
    const [wallet, look] = await Promise.all([
      this.wallets.find(wanted.merchantId, network.id),
      this.look(network, destination),
    ]);
    const isSet = wallet?.kind === 'address' && wallet.destination === destination;
    return { destination, isSet, ...look, recipe: this.recipe(network, destination) };
  }

  /**
   * From now on each quote on the network gets an address that can pay out to this one alone. Those that were issued
   * before stay what they are.
   * @throws DomainError `unknown-network`, `no-deposit-addresses`, `invalid-destination`
   */
  async set(wanted: WantedDestination, by: By): Promise<AddressWallet & DestinationPreview> {
    const { merchantId, network: subject } = wanted;
    const preview = await this.preview(wanted);
    const destination = hexOf(preview.destination);
    const wallet = await this.rows.set(merchantId, subject, destination, async (tx, before, after) => {
      if (before?.changes === after.changes) return;
      const detail = walletChange(before, after);
      await by.record(tx, { merchantId, action: 'wallet.set', subject, detail });
    });
    return { ...preview, ...wallet };
  }

  private async read({ network: id, address }: WantedDestination) {
    const network = this.config.networks.find((one) => one.id === id);
    if (!network) throw unknownNetwork(id);
    mustHaveForwarders(network);
    const destination = parseDestination(address, this.config.networks);
    if (await this.addresses.isIssued('evm', destination.toLowerCase())) throw issuedDestination();
    return { network, destination };
  }

  private async look(network: NetworkConfig, destination: Address): Promise<DestinationLook> {
    const client = clientOf(network, TIMEOUT_MS);
    const codeAt = (address: Address) => askCode(client, address).catch(() => null);
    const isThere = async (address: Address) => {
      const code = await codeAt(address);
      return code === null ? null : code !== '0x';
    };
    const { depositAddress } = this.recipe(network, destination);
    const [code, isFactoryDeployed, hasDeployer, refused] = await Promise.all([
      codeAt(destination),
      isThere(forwarderFactory.address),
      isThere(DETERMINISTIC_DEPLOYER),
      refusedPayouts(client, network.assets, hexOf(depositAddress), destination),
    ]);
    return { account: accountOf(code), isFactoryDeployed, hasDeployer, refused };
  }

  private recipe({ id, assets }: NetworkConfig, destination: Address) {
    const asset = assets.find(({ contract }) => contract !== null) ?? assets[0];
    return verificationRecipe(destination, id, asset?.symbol ?? 'ETH');
  }
}

function accountOf(code: Hex | null): DestinationLook['account'] {
  if (code === null) return null;
  if (code === '0x') return 'plain';
  return code.startsWith(DELEGATION) ? 'delegated' : 'contract';
}
