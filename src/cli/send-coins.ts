import { formatDecimal } from '../kernel/decimal.js';
import type { SandboxCoin } from '../modules/sandbox/sandbox-home.service.js';
import { exactAtoms } from './exact-atoms.js';

const COIN_DECIMALS = 8;
const TIMEOUT_MS = 10_000;

/** Pays from the buyer's wallet on a Bitcoin-like node. It is in the mempool when this returns, not yet in a block. */
export async function sendCoins(
  { buyerWalletUrl }: SandboxCoin,
  { to, amount }: { readonly to: string; readonly amount: string },
): Promise<string> {
  // As text: the node reads it to the last digit, and a JSON number would be a float on its way out of here.
  const exact = formatDecimal(exactAtoms(amount, COIN_DECIMALS), COIN_DECIMALS);
  const url = new URL(buyerWalletUrl);
  const authorization = `Basic ${btoa(`${url.username}:${url.password}`)}`;
  url.username = url.password = '';
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '1.0', id: 1, method: 'sendtoaddress', params: [to, exact] }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { result, error } = (await response.json()) as {
    result?: string;
    error?: { message: string } | null;
  };
  if (error || !result) throw new Error(`The node did not send it: ${error?.message ?? response.status}`);
  return result;
}
