import {
  createPublicClient,
  createWalletClient,
  erc20Abi,
  http,
  type Address,
  type Hash,
  type Hex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { SandboxFile } from '../modules/sandbox/sandbox-home.service.js';
import { exactAtoms } from './exact-atoms.js';

const COIN_DECIMALS = 18;

/** Sends the coin or a token, and waits until it is in a block. */
export async function sendOnEthereum(
  { rpcUrl, buyerPrivateKey, tokens }: SandboxFile['networks']['ethereum'],
  payment: { readonly to: string; readonly asset: string; readonly amount: string },
): Promise<Hash> {
  const transport = http(rpcUrl);
  const wallet = createWalletClient({ account: privateKeyToAccount(buyerPrivateKey as Hex), transport });
  const { asset, amount } = payment;
  const to = payment.to as Address;
  const token = asset === 'USDC' || asset === 'USDT' ? tokens[asset] : null;
  const hash = token
    ? await wallet.writeContract({
        chain: null,
        address: token.address,
        abi: erc20Abi,
        functionName: 'transfer',
        args: [to, exactAtoms(amount, token.decimals)],
      })
    : await wallet.sendTransaction({ chain: null, to, value: exactAtoms(amount, COIN_DECIMALS) });
  const receipt = await createPublicClient({ transport }).waitForTransactionReceipt({
    hash,
    pollingInterval: 200,
  });
  if (receipt.status !== 'success') throw new Error(`The transaction ${hash} failed.`);
  return hash;
}
