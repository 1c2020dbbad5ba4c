import { type Address, concatHex, getContractAddress, type Hex } from 'viem';
import { z } from 'zod';
import { Patience } from '../../../../platform/patience.js';
import { DEPLOYMENT_SALT, DETERMINISTIC_DEPLOYER } from '../../../chains/factory-deployment.types.js';
import { readRpc, rpc } from '../rpc.js';

/** Half a minute and more. */
const PATIENCE = { everyMs: 50, looksInVain: 600 };
/** For an answer of the local node: on a machine with much else to do it takes seconds. */
const TIMEOUT_MS = 60_000;

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
    (await readRpc(z.string(), rpcUrl, 'eth_getCode', [address, 'latest'], TIMEOUT_MS)) !== '0x';
  if (await isDeployed()) return address;
  const data = concatHex([DEPLOYMENT_SALT, bytecode]);
  const deployment = { from: DEPLOYER, to: DETERMINISTIC_DEPLOYER, data };
  await rpc(rpcUrl, 'eth_sendTransaction', [deployment], TIMEOUT_MS);
  return new Patience(PATIENCE).until<Address>(
    async () => ((await isDeployed()) ? { found: address } : { seen: 'not mined' }),
    () => new Error(`${name} is still in no block`),
  );
}
