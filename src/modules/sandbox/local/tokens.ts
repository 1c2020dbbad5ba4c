import { setTimeout as sleep } from 'node:timers/promises';
import { concatHex, encodeDeployData, getContractAddress, padHex, type Address, type Hex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { rpc } from './rpc.js';
import { testToken } from './test-token.js';

const MNEMONIC = 'test test test test test test test test test test test junk';
const HOLDERS = 10;
const DECIMALS = 6;
const TOKENS_EACH = 1_000_000n;
// The CREATE2 factory that anvil puts into its genesis. With it an address depends on nothing but the token itself,
// not on how many transactions account 0 has sent before.
const FACTORY = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const SALT = padHex('0x', { size: 32 });
const MINED_WITHIN_MS = 30_000;

export type Token = { address: Address; decimals: 6 };
export type Tokens = { USDC: Token; USDT: Token };

/** Anvil's own accounts, unlocked on it; account 0 deploys, all of them hold the tokens. */
export const anvilAccount = (addressIndex: number): ReturnType<typeof mnemonicToAccount> =>
  mnemonicToAccount(MNEMONIC, { addressIndex });

/** Deploys what is missing, and returns once it is in a block. Addresses are the same on every anvil. */
export async function deployTokens(rpcUrl: string): Promise<Tokens> {
  const holders = Array.from({ length: HOLDERS }, (_, index) => anvilAccount(index).address);
  // One after the other: two at once from one account can get the same nonce.
  const usdc = await deploy(rpcUrl, 'USD Coin', 'USDC', holders);
  const usdt = await deploy(rpcUrl, 'Tether USD', 'USDT', holders);
  return { USDC: { address: usdc, decimals: DECIMALS }, USDT: { address: usdt, decimals: DECIMALS } };
}

async function deploy(rpcUrl: string, name: string, symbol: string, holders: Address[]): Promise<Address> {
  const each = TOKENS_EACH * 10n ** BigInt(DECIMALS);
  const bytecode = encodeDeployData({ ...testToken, args: [name, symbol, DECIMALS, each, holders] });
  const address = getContractAddress({ opcode: 'CREATE2', from: FACTORY, salt: SALT, bytecode });
  const isDeployed = async (): Promise<boolean> =>
    (await rpc<Hex>(rpcUrl, 'eth_getCode', [address, 'latest'])) !== '0x';
  if (await isDeployed()) return address;
  const from = anvilAccount(0).address;
  await rpc(rpcUrl, 'eth_sendTransaction', [{ from, to: FACTORY, data: concatHex([SALT, bytecode]) }]);
  const deadline = Date.now() + MINED_WITHIN_MS;
  while (!(await isDeployed())) {
    if (Date.now() > deadline) throw new Error(`${symbol} was not mined within ${MINED_WITHIN_MS / 1000} s`);
    await sleep(50);
  }
  return address;
}
