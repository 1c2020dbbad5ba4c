import { hexToBigInt, type Hex } from 'viem';
import type { AssetConfig } from '../../../config/config.types.js';
import type { FoundPayment } from '../outgoing.types.js';
import type { EvmBlock, EvmNode } from './node/evm-node.types.js';
import { TransferLogs } from './transfer-logs.js';

export interface SoughtOnEvm {
  readonly asset: AssetConfig;
  readonly to: string;
  readonly atoms: bigint;
  /** Only of this transaction. */
  readonly txid: string | null;
}

/** With who sent it, lower case. */
export interface SentPayment extends FoundPayment {
  readonly sender: string;
}

/** Movements of exactly this amount to this address, in transactions that succeeded. */
export async function sentIn(
  node: EvmNode,
  blocks: readonly EvmBlock[],
  { asset, to, atoms, txid }: SoughtOnEvm,
): Promise<SentPayment[]> {
  const address = to.toLowerCase();
  const isNamed = (one: { readonly txid: string }) => txid === null || one.txid === txid.toLowerCase();
  const byHash = new Map(blocks.map((block) => [block.hash, block]));
  if (asset.contract !== null) {
    const logs = await new TransferLogs(node, [asset.contract.toLowerCase()]).of(blocks);
    const paying = logs.filter(
      (log) => isNamed(log) && addressIn(log.topics[2]) === address && amountIn(log.data) === atoms,
    );
    return Promise.all(
      paying.map(async (log) => {
        const [receipt] = await node.receipts([log.txid]);
        // By its place in the transaction, which stays the same in whichever block it comes back.
        const place = receipt!.logs.findIndex(({ index }) => index === log.index);
        const block = byHash.get(log.blockHash)!;
        return { ...at(block, log.txid, `log:${place}`), sender: addressIn(log.topics[1]) };
      }),
    );
  }
  const found: SentPayment[] = [];
  for (const block of blocks) {
    for (const { txid: id, to: receiver, valueAtoms, sender } of block.transactions) {
      if (!isNamed({ txid: id }) || receiver !== address || valueAtoms !== atoms) continue;
      const [receipt] = await node.receipts([id]);
      if (receipt!.succeeded) found.push({ ...at(block, id, 'native'), sender: sender ?? '' });
    }
    found.push(...(txid === null ? [] : await paidInside(node, block, address, atoms, txid)));
  }
  return found;
}

/** A Safe and other contracts pay coin by a call inside of the transaction, which only traces show. */
async function paidInside(node: EvmNode, block: EvmBlock, to: string, atoms: bigint, txid: string) {
  const calls = (await node.internalCalls(block)) ?? [];
  return calls
    .filter((call) => call.txid === txid.toLowerCase() && call.to === to && call.valueAtoms === atoms)
    .map(({ path, payers }): SentPayment => {
      return { ...at(block, txid.toLowerCase(), `call:${path}`), sender: payers[0] ?? '' };
    });
}

const at = ({ height, hash }: EvmBlock, txid: string, output: string) => ({ txid, output, height, hash });
const addressIn = (topic: Hex | undefined) => `0x${(topic ?? '').slice(-40).toLowerCase()}`;
const amountIn = (data: Hex) => (data.length === 66 ? hexToBigInt(data) : null);
