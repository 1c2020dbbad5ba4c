import { z } from 'zod';
import { listOfAll } from '../../../kernel/foreign-json.js';
import { coinAtoms } from '../domain/coin-json.js';
import { InconsistentNode } from '../node.errors.js';
import type { FoundPayment } from '../outgoing.types.js';
import {
  blockAt,
  MOST_TRANSACTIONS,
  nodeAnswer,
  nodeList,
  nodeListOfLists,
} from '../watching/node-answer.js';
import type { SentAt, SoughtOnBitcoin } from './bitcoin-node.types.js';
import { coreAmount, coreHash, coreHeight, coreIndex, isText } from './core-answers.js';
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
            .object({
              address: z.string().optional(),
              addresses: listOfAll(isText, 'must be a list of texts').optional(),
            })
            .optional(),
        }),
      ),
    }),
    MOST_TRANSACTIONS,
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
  // Once through the block, however many are sought.
  const found = new Map(sought.map((one) => [placeOf(one), [] as FoundPayment[]]));
  const addresses = new Set<string | undefined>(sought.map(({ to }) => to));
  for (const { txid, vout } of block.tx) {
    for (const { n, value, scriptPubKey: script } of vout) {
      if (n === undefined || value === undefined) continue;
      const paid = [script?.address, ...(script?.addresses ?? [])].filter((one) => addresses.has(one));
      for (const to of new Set(paid))
        found.get(placeOf({ to, atoms: coinAtoms(value) }))?.push({ txid, output: `out:${n}`, height, hash });
    }
  }
  return {
    hash,
    parentHash: block.previousblockhash ?? '',
    found: sought.map((one) => found.get(placeOf(one)) ?? []),
  };
}

const placeOf = ({ to, atoms }: { readonly to: string | undefined; readonly atoms: bigint | null }): string =>
  `${atoms}:${to}`;
