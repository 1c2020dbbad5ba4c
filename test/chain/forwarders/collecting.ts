import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  numberToHex,
  padHex,
  type TransactionReceipt,
  zeroAddress,
} from 'viem';
import { forwarderAddress } from '../../../src/modules/chains/domain/forwarder-address.js';
import { forwarder, forwarderFactory } from '../../../src/modules/chains/forwarders.types.js';
import { deploy } from '../../../src/modules/sandbox/local/evm/deploy.js';
import { rpc } from '../../support/nodes/node-rpc.js';

/** Anvil's first account, unlocked on it, which holds coin and tokens. */
export const PAYER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
/** Its second, which has no part in anything but pays for the gas. */
export const ANYBODY = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const COIN = zeroAddress;
export const EVERYTHING = 2n ** 256n - 1n;

export interface Call {
  readonly to: Address;
  readonly data?: Hex;
  readonly value?: bigint;
  readonly gas?: number;
}

export const deployFactory = (rpcUrl: string) => deploy(rpcUrl, forwarderFactory.bytecode, 'the factory');

export const saltOf = (n: number): Hex => padHex(numberToHex(n), { size: 32 });

export const depositOf = forwarderAddress;

export const collectAll = (destination: Address, asset: Address, salts: readonly Hex[]): Call => ({
  to: forwarderFactory.address,
  data: encodeFunctionData({
    ...forwarderFactory,
    functionName: 'collect',
    args: [destination, asset, salts],
  }),
});

export const collectOne = (deposit: Address, asset: Address, most = EVERYTHING): Call => ({
  to: deposit,
  data: encodeFunctionData({ abi: forwarder.abi, functionName: 'collect', args: [asset, most] }),
});

export const transfer = (token: Address, to: Address, amount: bigint): Call => ({
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
});

/** One transaction in a block of its own. @returns its receipt, which says whether it failed */
export async function send(rpcUrl: string, from: Address, call: Call): Promise<TransactionReceipt> {
  const { value = 0n, gas = 16_000_000, ...rest } = call;
  const hash = await rpc<Hex>(rpcUrl, 'eth_sendTransaction', [
    { from, ...rest, value: numberToHex(value), gas: numberToHex(gas) },
  ]);
  await rpc(rpcUrl, 'evm_mine');
  return rpc<TransactionReceipt>(rpcUrl, 'eth_getTransactionReceipt', [hash]);
}
