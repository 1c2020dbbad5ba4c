import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, concatHex, getContractAddress, type Hex } from 'viem';
import { z } from 'zod';
import { DEPLOYMENT_SALT, DETERMINISTIC_DEPLOYER } from '../../../chains/factory-deployment.types.js';
import { readRpc, rpc } from '../rpc.js';

const MINED_WITHIN_MS = 30_000;

/** Anvil's first account, unlocked on it. */
const DEPLOYER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

/**
 * Deploys a contract unless it is there, and returns once it is in a block. The address depends on nothing but the
 * bytecode: it is the same on every anvil, whatever account 0 has sent before.
 * @param name for the message when it fails
 */
export async function deploy(rpcUrl: string, bytecode: Hex, name: string): Promise<Address> {
  const address = getContractAddress({
    opcode: 'CREATE2',
    from: DETERMINISTIC_DEPLOYER,
    salt: DEPLOYMENT_SALT,
    bytecode,
  });
  const isDeployed = async (): Promise<boolean> =>
    (await readRpc(z.string(), rpcUrl, 'eth_getCode', [address, 'latest'])) !== '0x';
  if (await isDeployed()) return address;
  await rpc(rpcUrl, 'eth_sendTransaction', [
    { from: DEPLOYER, to: DETERMINISTIC_DEPLOYER, data: concatHex([DEPLOYMENT_SALT, bytecode]) },
  ]);
  const deadline = Date.now() + MINED_WITHIN_MS;
  while (!(await isDeployed())) {
    if (Date.now() > deadline) throw new Error(`${name} was not mined within ${MINED_WITHIN_MS / 1000} s`);
    await sleep(50);
  }
  return address;
}
