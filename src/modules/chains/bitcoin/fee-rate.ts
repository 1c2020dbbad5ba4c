import type { NetworkConfig } from '../../../config/config.types.js';
import { coinAtoms } from '../domain/coin-json.js';
import { InconsistentNode } from '../node.errors.js';
import { nodeAnswer } from '../watching/node-answer.js';
import { coreFeeEstimate } from './core-answers.js';
import { CoreRpc } from './core-rpc.js';

const MAX_BYTES = 65_536;
/** Blocks within which a wallet wants its transaction unless it is told otherwise, or about that. */
const WITHIN_BLOCKS = 3;
/** A coin for a transaction of 1,000 bytes: some hundred times what was ever usual, and no estimate. */
const MOST_ATOMS = 100_000_000n;

/** @throws where the node does not answer */
export function askFeeRate({ rpcUrl }: NetworkConfig, timeoutMs: number): Promise<bigint | null> {
  return feeRateOf(new CoreRpc(rpcUrl, { timeoutMs, maxBytes: MAX_BYTES, amounts: 'feerate' }));
}

/**
 * @returns atoms for 1,000 virtual bytes, as the node estimates them from what it has seen mined; `null` where it has not
 *   seen enough, as on a chain of one's own
 */
export async function feeRateOf(rpc: CoreRpc): Promise<bigint | null> {
  const answer = await rpc.call('estimatesmartfee', WITHIN_BLOCKS, 'ECONOMICAL');
  const { feerate } = await nodeAnswer(coreFeeEstimate, 'estimatesmartfee', answer);
  if (feerate === undefined) return null;
  const atoms = coinAtoms(feerate);
  if (atoms === null || atoms === 0n || atoms > MOST_ATOMS) {
    throw new InconsistentNode(`estimatesmartfee answered ${feerate}, which is no rate`);
  }
  return atoms;
}
