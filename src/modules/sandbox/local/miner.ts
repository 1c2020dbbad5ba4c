import { rpc } from './rpc.js';

const WALLET = 'buyer';
/** All that regtest pays before its third halving is mature by then: 13,000 coins, more than the largest payment. */
const FUNDED_HEIGHT = 560;
const BLOCK_EVERY_MS = 2_000;
/** To nobody: a wallet with a coin from every block of a week would take seconds for each payment. */
const NOBODY = 'raw(51)';

/**
 * Opens the buyer's wallet on a regtest node; a new chain is mined for it until it is rich.
 * @returns the wallet's own address for calls, with credentials
 */
export async function fundBuyer(rpcUrl: string): Promise<string> {
  const wallets = await rpc<string[]>(rpcUrl, 'listwallets');
  if (!wallets.includes(WALLET)) {
    await rpc(rpcUrl, 'loadwallet', [WALLET]).catch(() => rpc(rpcUrl, 'createwallet', [WALLET]));
  }
  const walletUrl = `${rpcUrl}/wallet/${WALLET}`;
  const missing = FUNDED_HEIGHT - (await rpc<number>(rpcUrl, 'getblockcount'));
  if (missing > 0) {
    const address = await rpc<string>(walletUrl, 'getnewaddress', ['', 'bech32']);
    await rpc(walletUrl, 'generatetoaddress', [missing, address], 60_000);
  }
  return walletUrl;
}

/** A block every two seconds, from now on. @returns how to stop */
export function keepMining(rpcUrl: string): () => void {
  const mine = (): void => void rpc(rpcUrl, 'generatetodescriptor', [1, NOBODY]).catch(() => undefined);
  // At once too: a node whose tip is a day old takes itself for one that is still downloading.
  mine();
  const timer = setInterval(mine, BLOCK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
