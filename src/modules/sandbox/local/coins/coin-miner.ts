import { z } from 'zod';
import { listOf } from '../../../../platform/outgoing/read-foreign.js';
import { Miner } from '../miner.js';
import { readRpc, rpc } from '../rpc.js';

const WALLET = 'buyer';
/** All that regtest pays before its third halving is mature by then: 13,000 coins, more than the largest payment. */
const FUNDED_HEIGHT = 560;
const BLOCK_EVERY_MS = 2_000;
/** Making a wallet and its first blocks takes a second; a minute on a machine that is busy with something else. */
const FUNDING_TIMEOUT_MS = 60_000;
/** To nobody: a wallet with a coin from every block of a week would take seconds for each payment. */
const NOBODY = 'raw(51)';
/** To nobody else: two miners at the same height in the same second would make the same block twice. */
const NOBODY_ELSE = 'raw(52)';

/**
 * Opens the buyer's wallet on a regtest node; a new chain is mined for it until it is rich.
 * @returns the wallet's own address for calls, with credentials
 */
export async function fundBuyer(rpcUrl: string): Promise<string> {
  const wallets = await readRpc(listOf(z.string()), rpcUrl, 'listwallets');
  if (!wallets.includes(WALLET)) {
    const patiently = (method: string) => rpc(rpcUrl, method, [WALLET], FUNDING_TIMEOUT_MS);
    await patiently('loadwallet').catch(() => patiently('createwallet'));
  }
  const walletUrl = `${rpcUrl}/wallet/${WALLET}`;
  const missing = FUNDED_HEIGHT - (await readRpc(z.number(), rpcUrl, 'getblockcount'));
  if (missing > 0) {
    const bech32 = ['', 'bech32'];
    const address = await readRpc(z.string(), walletUrl, 'getnewaddress', bech32, FUNDING_TIMEOUT_MS);
    await rpc(walletUrl, 'generatetoaddress', [missing, address], FUNDING_TIMEOUT_MS);
  }
  return walletUrl;
}

/** Mines on a regtest node every two seconds. */
export class CoinMiner extends Miner {
  constructor(private readonly rpcUrl: string) {
    super(() => rpc(rpcUrl, 'generatetodescriptor', [1, NOBODY]), BLOCK_EVERY_MS);
  }

  /** One block now, of what is in the mempool. @returns its hash */
  async mineNow(): Promise<string> {
    const one = [1, NOBODY_ELSE];
    const [hash] = await readRpc(z.tuple([z.string()]), this.rpcUrl, 'generatetodescriptor', one);
    return hash;
  }

  /** One block now, of nothing, whatever waits in the mempool. */
  async mineEmpty(): Promise<void> {
    await rpc(this.rpcUrl, 'generateblock', [NOBODY_ELSE, []]);
  }
}
