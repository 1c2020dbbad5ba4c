import { type Hex, hexToBigInt } from 'viem';
import type { AssetConfig } from '../../../config/config.types.js';
import type { FoundPayment } from '../outgoing.types.js';
import { TransferLogs } from './logs/transfer-logs.js';
import type { EvmBlock, EvmNode, EvmReceipt, InternalCall, MinedTransaction } from './node/evm-node.types.js';
import { TRANSFER_TOPIC } from './node/transfer-topic.js';

/** Where it is looked for. */
export interface SoughtOn {
  /** What all nodes of the network agree on. */
  readonly node: EvmNode;
  /** Each of them by itself: what happened inside a transaction counts where every one tells it. */
  readonly tracers: readonly Pick<EvmNode, 'internalCalls'>[];
}

export interface SoughtOnEvm {
  readonly asset: Pick<AssetConfig, 'contract'>;
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
export function sentIn(on: SoughtOn, blocks: readonly EvmBlock[], sought: SoughtOnEvm) {
  const { contract } = sought.asset;
  return contract === null
    ? coinIn(on, blocks, sought)
    : tokensIn(on, blocks, sought, contract.toLowerCase());
}

/** A log is only where to look, because one node alone may tell it: its receipt decides, in the block that was read. */
async function tokensIn(
  { node }: SoughtOn,
  blocks: readonly EvmBlock[],
  { to, atoms, txid }: SoughtOnEvm,
  contract: string,
): Promise<SentPayment[]> {
  const address = to.toLowerCase();
  const pays = (log: EvmReceipt['logs'][number]) =>
    log.contract === contract &&
    log.topics[0] === TRANSFER_TOPIC &&
    addressIn(log.topics[2]) === address &&
    amountIn(log.data) === atoms;
  const byHash = new Map(blocks.map((block) => [block.hash, block]));
  const paying =
    txid === null
      ? (await new TransferLogs(node, [contract]).of(blocks)).filter(pays)
      : [listedIn(blocks, txid.toLowerCase())];
  const mined = new Map(paying.map((one) => [one.txid.toLowerCase(), one.blockHash]));
  const receipts = await node.receipts([...mined].map(([one, blockHash]) => ({ txid: one, blockHash })));
  return receipts.flatMap((receipt) => {
    const block = byHash.get(receipt.blockHash);
    if (!block || !receipt.succeeded) return [];
    // By its place in the transaction, which stays the same in whichever block it comes back.
    return receipt.logs.flatMap((log, place) =>
      pays(log) ? [{ ...at(block, receipt.txid, `log:${place}`), sender: addressIn(log.topics[1]) }] : [],
    );
  });
}

async function coinIn(
  { node, tracers }: SoughtOn,
  blocks: readonly EvmBlock[],
  { to, atoms, txid }: SoughtOnEvm,
): Promise<SentPayment[]> {
  const address = to.toLowerCase();
  const named = txid?.toLowerCase() ?? null;
  const found: SentPayment[] = [];
  for (const block of blocks) {
    const paying = block.transactions.filter(
      (one) => (named === null || one.txid === named) && one.to === address && one.valueAtoms === atoms,
    );
    const inside = named === null ? [] : await paidInside(tracers, block, address, atoms, named);
    const sent = [
      ...paying.map((one) => ({ ...at(block, one.txid, 'native'), sender: one.sender ?? '' })),
      ...inside,
    ];
    const txids = [...new Set(sent.map((one) => one.txid))];
    const receipts = await node.receipts(txids.map((one) => ({ txid: one, blockHash: block.hash })));
    const done = new Set(
      receipts
        .filter(({ succeeded, blockHash }) => succeeded && blockHash === block.hash)
        .map((one) => one.txid),
    );
    found.push(...sent.filter((one) => done.has(one.txid)));
  }
  return found;
}

/** A Safe and other contracts pay coin by a call inside of the transaction, which only traces show. */
async function paidInside(
  tracers: SoughtOn['tracers'],
  block: EvmBlock,
  to: string,
  atoms: bigint,
  txid: string,
): Promise<SentPayment[]> {
  const [calls = [], ...others] = await Promise.all(
    tracers.map(async (one) => (await one.internalCalls(block)) ?? []),
  );
  const isSame = (one: InternalCall) => (call: InternalCall) =>
    call.txid === one.txid && call.path === one.path && call.to === to && call.valueAtoms === atoms;
  return calls
    .filter(
      (call) => call.txid === txid && isSame(call)(call) && others.every((all) => all.some(isSame(call))),
    )
    .map(({ path, payers }) => ({ ...at(block, txid, `call:${path}`), sender: payers[0] ?? '' }));
}

/** Some chains list not all that they make themselves. */
function listedIn(blocks: readonly EvmBlock[], txid: string): MinedTransaction {
  const block = blocks.find(({ listed }) => listed.some((one) => one.txid === txid));
  return { txid, blockHash: block?.hash ?? null };
}

const at = ({ height, hash }: EvmBlock, txid: string, output: string) => ({ txid, output, height, hash });
const addressIn = (topic: Hex | undefined) => `0x${(topic ?? '').slice(-40).toLowerCase()}`;
const amountIn = (data: Hex) => (data.length === 66 ? hexToBigInt(data) : null);
