import { join } from 'node:path';
import type { NetworkConfig } from '../../config/config.types.js';
import { sandboxBitcoin, sandboxLitecoin } from '../../config/networks.js';
import { fundBuyer, keepMining } from './local/miner.js';
import { nodeProgram, startNode, type Coin } from './local/litecoind.js';
import type { SandboxCoin } from './sandbox-home.service.js';

const NETWORK_OF: Readonly<Record<Coin, (rpcUrl: string) => NetworkConfig>> = {
  litecoin: sandboxLitecoin,
  bitcoin: sandboxBitcoin,
};
const INSTALL: Readonly<Record<Coin, string>> = {
  litecoin: 'Litecoin, because there is no litecoind on the PATH (Debian: apt-get install litecoind)',
  bitcoin: 'Bitcoin, because there is no bitcoind on the PATH (https://bitcoincore.org/en/download)',
};

export interface LocalCoins {
  readonly networks: readonly NetworkConfig[];
  readonly running: Readonly<Partial<Record<Coin, SandboxCoin>>>;
  /** Which networks could not be offered, and why. */
  readonly missing: readonly string[];
}

/** Every Bitcoin-like coin whose node is installed here. One that does not start is left out: the rest still works. */
export async function localCoins(dataDir: string, undo: (() => unknown)[]): Promise<LocalCoins> {
  const networks: NetworkConfig[] = [];
  const running: Partial<Record<Coin, SandboxCoin>> = {};
  const missing: string[] = [];
  for (const coin of ['litecoin', 'bitcoin'] as const) {
    if (nodeProgram(coin) === undefined) {
      missing.push(INSTALL[coin]);
      continue;
    }
    try {
      const { rpcUrl, buyerWalletUrl } = await localCoin(coin, join(dataDir, coin), undo);
      const network = NETWORK_OF[coin](rpcUrl);
      networks.push(network);
      running[coin] = { rpcUrl, chain: 'regtest', asset: network.assets[0]?.symbol ?? '', buyerWalletUrl };
    } catch (error) {
      missing.push(`${coin}, because its node failed: ${(error as Error).message}`);
    }
  }
  return { networks, running, missing };
}

async function localCoin(coin: Coin, dataDir: string, undo: (() => unknown)[]) {
  const node = await startNode({ coin, dataDir });
  undo.push(() => node.stop());
  const buyerWalletUrl = await fundBuyer(node.rpcUrl);
  undo.push(keepMining(node.rpcUrl));
  return { rpcUrl: node.rpcUrl, buyerWalletUrl };
}
