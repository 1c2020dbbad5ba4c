import { Inject, Injectable } from '@nestjs/common';
import { type AssetConfig, CONFIG, type Config, type NetworkConfig } from '../../../config/config.types.js';
import { readAddress } from '../domain/addresses/read-address.js';

/** The networks of this instance, as they are configured. */
@Injectable()
export class NetworksService {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  all(): readonly NetworkConfig[] {
    return this.config.networks;
  }

  network(id: string): NetworkConfig | null {
    return this.config.networks.find((network) => network.id === id) ?? null;
  }

  /** What people call it; its id where it is configured no more. */
  nameOf(id: string): string {
    return this.network(id)?.name ?? id;
  }

  asset(networkId: string, symbol: string): AssetConfig | null {
    return this.network(networkId)?.assets.find((asset) => asset.symbol === symbol) ?? null;
  }

  /** An address that a person typed, in its normal spelling; `null` when it is none of that network. */
  readAddress(networkId: string, text: string): string | null {
    const network = this.network(networkId);
    return network && readAddress(network, text);
  }
}
