import { join } from 'node:path';
import { messageOf } from '../../kernel/error-fields.js';
import { CoinMiner, fundBuyer } from './local/coins/coin-miner.js';
import { type Coin, nodeProgram, startNode } from './local/coins/litecoind.js';
import type { SandboxCoin } from './sandbox-home.service.js';

const ASSET: Readonly<Record<Coin, string>> = { litecoin: 'LTC', bitcoin: 'BTC' };
const NAME: Readonly<Record<Coin, string>> = { litecoin: 'Litecoin', bitcoin: 'Bitcoin' };
const INSTALL: Readonly<Record<Coin, string>> = {
  litecoin: 'Litecoin, because there is no litecoind on the PATH (Debian: apt-get install litecoind)',
  bitcoin: 'Bitcoin, because there is no bitcoind on the PATH (https://bitcoincore.org/en/download)',
};

export interface LocalCoins {
  readonly running: Readonly<Partial<Record<Coin, SandboxCoin>>>;
  readonly miners: Readonly<Partial<Record<Coin, CoinMiner>>>;
  /** Which networks could not be offered, and why. */
  readonly missing: readonly string[];
}

/** Every Bitcoin-like coin whose node is installed here. One that does not start is left out: the rest still works. */
export async function localCoins(dataDir: string, undo: (() => unknown)[]): Promise<LocalCoins> {
  const running: Partial<Record<Coin, SandboxCoin>> = {};
  const miners: Partial<Record<Coin, CoinMiner>> = {};
  const missing: string[] = [];
  for (const coin of ['litecoin', 'bitcoin'] as const) {
    if (nodeProgram(coin) === undefined) {
      missing.push(INSTALL[coin]);
      continue;
    }
    try {
      const { rpcUrl, buyerWalletUrl, miner } = await localCoin(coin, join(dataDir, coin), undo);
      miners[coin] = miner;
      running[coin] = { rpcUrl, chain: 'regtest', asset: ASSET[coin], buyerWalletUrl };
    } catch (error) {
      missing.push(`${NAME[coin]}, because its node failed: ${messageOf(error)}`);
    }
  }
  return { running, miners, missing };
}

async function localCoin(coin: Coin, dataDir: string, undo: (() => unknown)[]) {
  const node = await startNode({ coin, dataDir });
  undo.push(() => node.stop());
  const buyerWalletUrl = await fundBuyer(node.rpcUrl);
  const miner = new CoinMiner(node.rpcUrl);
  undo.push(() => miner.stop());
  return { rpcUrl: node.rpcUrl, buyerWalletUrl, miner };
}
