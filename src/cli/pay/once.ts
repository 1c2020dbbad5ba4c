import { privateKeyToAccount } from 'viem/accounts';
import { hexOf } from '../../kernel/text/hex.js';
import { COIN_DECIMALS, CoinBuyer } from '../../modules/sandbox/buyers/coin-buyer.service.js';
import { EvmBuyer } from '../../modules/sandbox/buyers/evm-buyer.service.js';
import type { SandboxFile } from '../../modules/sandbox/sandbox-home.service.js';
import { exactAtoms } from '../text/exact-atoms.js';
import type { Status } from './checkout-client.js';

/** One real transaction on the network that was picked, from the sandbox's buyer. */
export async function pay(networks: SandboxFile['networks'], quoted: Status, amount: string): Promise<void> {
  const { network, asset, depositAddress: to } = quoted;
  if (!network || !asset || !to)
    throw new Error(`This payment is ${quoted.status}; there is nothing to send.`);
  const txid = await send(networks, { network, asset, to, amount });
  process.stdout.write(`Sent ${amount} ${asset} on ${network}: ${txid}\n`);
}

/** @returns the transaction's id */
export function send(
  networks: SandboxFile['networks'],
  payment: { network: string; asset: string; to: string; amount: string },
): Promise<string> {
  const { network, asset, to, amount } = payment;
  if (network === 'ethereum' || network === 'polygon') {
    const chain = networks[network];
    const buyer = new EvmBuyer(chain, privateKeyToAccount(hexOf(chain.buyerPrivateKey)));
    return buyer.pay({ to, asset, atoms: exactAtoms(amount, buyer.decimalsOf(asset)) });
  }
  const coin = network === 'litecoin' || network === 'bitcoin' ? networks[network] : undefined;
  if (!coin) throw new Error(`The sandbox has no node for ${network}.`);
  return new CoinBuyer(coin).pay({ to, atoms: exactAtoms(amount, COIN_DECIMALS) });
}
