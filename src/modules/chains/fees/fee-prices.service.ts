import { Injectable } from '@nestjs/common';
import type { AssetConfig, NetworkConfig } from '../../../config/config.types.js';
import { mulDiv } from '../../../kernel/arithmetic.js';
import { valueAt } from '../../../kernel/lookups.js';
import { askFeeRate } from '../bitcoin/fee-rate.js';
import { askGasPrice } from '../evm/gas-price.js';

/** How long a page waits for a node that has not said a price yet. */
const TIMEOUT_MS = 1_000;
/** After that it is asked again beside the page, which shows the one before. */
const FRESH_MS = 20_000;
/** What is older is not shown: prices double within minutes. */
const STALE_MS = 60_000;
/** What a plain transfer uses. A token's is of the large ones, to an address that has none of it yet. */
const TRANSFER_GAS = { coin: 21_000n, token: 65_000n } as const;
/** Of a transaction that spends one output and makes two, all of them P2WPKH: the payment, and what goes back. */
const TRANSFER_VBYTES = 141n;

interface Told {
  /** Of one gas, or of 1,000 virtual bytes. */
  readonly atoms: bigint | null;
  readonly atMs: number;
}

/** What sending costs now, as the networks' own nodes say: a word for who chooses, and nothing that money rests on. */
@Injectable()
export class FeePrices {
  private readonly told = new Map<string, Told>();
  private readonly asking = new Map<string, Promise<void>>();

  /** @returns atoms of the network's coin; `null` where nobody says, or not lately */
  async transferFee(network: NetworkConfig, { contract }: AssetConfig): Promise<bigint | null> {
    const price = await this.priceOf(network);
    if (price === null) return null;
    if (network.family !== 'evm') return mulDiv(price, TRANSFER_VBYTES, 1_000n, 'up');
    return price * TRANSFER_GAS[contract === null ? 'coin' : 'token'];
  }

  private async priceOf(network: NetworkConfig): Promise<bigint | null> {
    if (this.isOlder(network, FRESH_MS)) {
      const asking = this.asking.get(network.id) ?? this.ask(network);
      this.asking.set(network.id, asking);
      if (this.isOlder(network, STALE_MS)) await asking;
    }
    return this.isOlder(network, STALE_MS) ? null : valueAt(this.told, network.id).atoms;
  }

  private isOlder({ id }: NetworkConfig, ms: number): boolean {
    const told = this.told.get(id);
    return !told || performance.now() - told.atMs > ms;
  }

  private async ask(network: NetworkConfig): Promise<void> {
    const price = network.family === 'evm' ? askGasPrice : askFeeRate;
    let atoms: bigint | null = null;
    try {
      atoms = await price(network, TIMEOUT_MS);
    } catch {
      // Then it is not shown. The watcher says what is wrong with a node.
    }
    this.told.set(network.id, { atoms, atMs: performance.now() });
    this.asking.delete(network.id);
  }
}
