import { pbkdf2Sync } from 'node:crypto';
import { type Address, encodeDeployData, toHex } from 'viem';
import { HDKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { deploy } from './deploy.js';
import { testToken } from './test-token.js';

const MNEMONIC = 'test test test test test test test test test test test junk';
const BRANCH = "m/44'/60'/0'/0";
const HOLDERS = 10;
const DECIMALS = 6;
const TOKENS_EACH = 1_000_000n;
const NAMES = { USDC: 'USD Coin', USDT: 'Tether USD' } as const;

export type Token = { address: Address; decimals: 6 };
export type Tokens = { USDC: Token; USDT: Token };

let branch: HDKey | null = null;

/** BIP-39 by Node's own PBKDF2, and once: in JavaScript, ten accounts took longer than the chain's own start. */
function branchOfAccounts(): HDKey {
  branch ??= HDKey.fromMasterSeed(pbkdf2Sync(MNEMONIC, 'mnemonic', 2_048, 64, 'sha512')).derive(BRANCH);
  return branch;
}

/** Anvil's own accounts, unlocked on it; account 0 deploys, all of them hold the tokens. */
export function anvilAccount(addressIndex: number): PrivateKeyAccount {
  const { privateKey } = branchOfAccounts().deriveChild(addressIndex);
  if (!privateKey) throw new Error('the branch is of public keys');
  return privateKeyToAccount(toHex(privateKey));
}

/** Deploys what is missing, and returns once it is in a block. Addresses are the same on every anvil. */
export async function deployTokens(rpcUrl: string): Promise<Tokens> {
  // One after the other: two at once from one account can get the same nonce.
  return { USDC: await deployToken(rpcUrl, 'USDC'), USDT: await deployToken(rpcUrl, 'USDT') };
}

export async function deployToken(rpcUrl: string, symbol: keyof Tokens): Promise<Token> {
  const holders = Array.from({ length: HOLDERS }, (_, index) => anvilAccount(index).address);
  const each = TOKENS_EACH * 10n ** BigInt(DECIMALS);
  const args = [NAMES[symbol], symbol, DECIMALS, each, holders] as const;
  return {
    address: await deploy(rpcUrl, encodeDeployData({ ...testToken, args }), symbol),
    decimals: DECIMALS,
  };
}
