import type { NetworkConfig } from '../../../config/config.types.js';

/** What the configuration knows of networks; `null` for one that is no longer configured. */
export interface Places {
  network(id: string): NetworkConfig | null;
}
