import { z } from 'zod';
import { coinAtoms } from '../domain/coin-json.js';
import { InconsistentNode } from '../node.errors.js';
import { blockAt, nodeAnswer, nodeList, nodeListOfLists } from '../watching/node-answer.js';
import type { SentAt, SoughtOnBitcoin } from './bitcoin-node.types.js';
import { coreAmount, coreHash, coreHeight, coreIndex } from './core-answers.js';
import type { CoreRpc } from './core-rpc.js';

/** Money may go to an address of any kind, where what is watched is of one: so outputs are read by their addresses. */
const blockOfOutputs = z.object({
  height: coreHeight,
  hash: coreHash,
  previousblockhash: coreHash.optional(),
  tx: nodeListOfLists(
    z.object({
      txid: coreHash,
      vout: nodeList(
        z.object({
          n: coreIndex.optional(),
          value: coreAmount.optional(),
          /** Older nodes, and Litecoin's, list them. */
          scriptPubKey: z
            .object({ address: z.string().optional(), addresses: z.array(z.string()).optional() })
            .optional(),
        }),
      ),
    }),
  ),
});
const WITH_TRANSACTIONS = 2;

/**
 * Outputs of exactly this amount to this address, in one block of the node's chain. Who sent them is not said there, and
 * by which transaction does not matter: a wallet that raises its fee sends another one.
 */
export async function sentAt(
  rpc: CoreRpc,
  height: number,
  sought: readonly SoughtOnBitcoin[],
): Promise<SentAt> {
  const hash = await nodeAnswer(coreHash, 'getblockhash', await rpc.call('getblockhash', height));
  const answer = await rpc.call('getblock', hash, WITH_TRANSACTIONS);
  const block = blockAt(height, await nodeAnswer(blockOfOutputs, 'getblock', answer));
  if (block.hash !== hash) throw new InconsistentNode(`the node answered another block than ${hash}`);
  const found = sought.map(({ to, atoms }) =>
    block.tx.flatMap((tx) =>
      tx.vout.flatMap(({ n, value, scriptPubKey: script }) => {
        const addresses = [script?.address, ...(script?.addresses ?? [])];
        if (n === undefined || value === undefined || !addresses.includes(to)) return [];
        return coinAtoms(value) === atoms ? [{ txid: tx.txid, output: `out:${n}`, height, hash }] : [];
      }),
    ),
  );
  return { hash, parentHash: block.previousblockhash ?? '', found };
}
