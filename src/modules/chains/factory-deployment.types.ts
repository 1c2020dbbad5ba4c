import { type Address, concatHex, type Hex, padHex } from 'viem';
import { forwarderFactory } from './forwarders.types.js';

/** The CREATE2 deployer that most EVM networks, and anvil, have from the beginning, at the same address. */
export const DETERMINISTIC_DEPLOYER: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
export const DEPLOYMENT_SALT: Hex = padHex('0x', { size: 32 });

/** The transaction that puts the factory where deposit addresses expect it, from whomever. */
export const factoryDeployment: { readonly to: Address; readonly data: Hex } = {
  to: DETERMINISTIC_DEPLOYER,
  data: concatHex([DEPLOYMENT_SALT, forwarderFactory.bytecode]),
};
