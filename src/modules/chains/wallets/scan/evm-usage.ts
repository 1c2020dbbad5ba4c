import type { NetworkConfig } from '../../../../config/config.types.js';
import { entryAt } from '../../../../kernel/lookups.js';
import { type EvmAssets, evmAssets } from '../../evm/coin/credits.js';
import { EvmHistory } from '../../reconciliation/evm/history.js';
import { Pace } from '../../reconciliation/pace.js';
import type { Holding } from '../../wallet-scan.types.js';
import { mustBeItsChain } from '../../watching/identity.js';
import type { CursorNow, Usage, Use } from './usage.js';

/** A handful of questions while somebody waits; a hosted node takes as many from a watcher that catches up. */
const REQUESTS_PER_SECOND = 20;

/**
 * An account that ever sent anything, or holds the coin, exists for the chain; tokens lie in their contracts, so their
 * balances are asked for beside. Tokens that were moved on without a transaction of their address leave no trace in either.
 */
export class EvmUsage implements Usage {
  private readonly history: EvmHistory;
  private readonly assets: EvmAssets;
  private isOurChain = false;

  constructor(
    private readonly network: NetworkConfig,
    private readonly standing: CursorNow,
  ) {
    this.history = new EvmHistory(network.rpcUrl, new Pace(REQUESTS_PER_SECOND));
    this.assets = evmAssets(network.assets);
  }

  async of(addresses: readonly string[], signal: AbortSignal): Promise<Use> {
    await this.mustBeOurChain(signal);
    const used = new Map<string, Holding[]>();
    const untold: string[] = [];
    const accounts = await this.history.accounts(addresses, 'latest', signal);
    if (!accounts) untold.push('the coin and of what addresses have sent');
    const existing = addresses.filter((_, i) => accounts && accounts[i] !== 'none');
    for (const address of existing) used.set(address, []);
    const add = (address: string, asset: string, atoms: bigint) => {
      if (atoms > 0n) used.set(address, [...(used.get(address) ?? []), { asset, atoms }]);
    };
    const { coin, tokens } = this.assets;
    const balances = await this.history.coinBalances(existing, 'latest', signal);
    if (coin !== null) balances?.forEach((atoms, i) => add(entryAt(existing, i), coin, atoms));
    for (const [contract, asset] of tokens) {
      const held = await this.history.tokenBalances(contract, addresses, 'latest', signal);
      if (!held) untold.push(asset);
      held?.forEach((atoms, i) => add(entryAt(addresses, i), asset, atoms));
    }
    return { used, untold };
  }

  private async mustBeOurChain(signal: AbortSignal): Promise<void> {
    if (this.isOurChain) return;
    mustBeItsChain(this.network, await this.history.identity(signal), await this.standing());
    this.isOurChain = true;
  }
}
