import type { NetworkConfig } from '../../../../config/config.types.js';
import { coreNode } from '../../bitcoin/core-nodes.js';
import { bitcoinNetwork } from '../../domain/bitcoin-network.js';
import { InconsistentNode } from '../../node.errors.js';
import { unspentOutputs } from '../../reconciliation/reconcilers.js';
import type { Holding } from '../../wallet-scan.types.js';
import { mustBeItsChain } from '../../watching/identity.js';
import type { CursorNow, Usage, Use } from './usage.js';

/** By the node's set of unspent outputs: a node without an index of addresses knows nothing of what was spent again. */
export class BitcoinUsage implements Usage {
  private isOurChain = false;

  constructor(
    private readonly network: NetworkConfig,
    private readonly standing: CursorNow,
  ) {}

  async of(addresses: readonly string[], signal: AbortSignal): Promise<Use> {
    await this.mustBeOurChain();
    const outputs = await unspentOutputs(this.network.rpcUrl).of(addresses, signal);
    if (!outputs) return { used: new Map(), untold: ['unspent outputs'] };
    const asset = bitcoinNetwork(this.network).asset;
    const sums = new Map<string, Holding[]>();
    for (const { address, amountAtoms } of outputs) {
      const before = sums.get(address)?.[0]?.atoms ?? 0n;
      sums.set(address, [{ asset, atoms: before + amountAtoms }]);
    }
    return { used: sums, untold: ['addresses that were paid and spent again'] };
  }

  private async mustBeOurChain(): Promise<void> {
    if (this.isOurChain) return;
    const { prefix } = bitcoinNetwork(this.network);
    const tip = await coreNode(this.network).tip(prefix);
    mustBeItsChain(this.network, { ...tip, chainId: null }, await this.standing());
    if (tip.isDownloading)
      throw new InconsistentNode(`the node of ${this.network.id} has not read its chain to the end`);
    this.isOurChain = true;
  }
}
