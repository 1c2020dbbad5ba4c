import { z } from 'zod';
import { listOfAll, textLike } from '../../../kernel/foreign-json.js';
import { coinAtoms } from '../domain/coin-json.js';
import { InconsistentNode } from '../node.errors.js';
import { MOST_TRANSACTIONS, nodeList, nodeListOfLists } from '../watching/node-answer.js';
import type { BitcoinBlock, BitcoinOutput, BitcoinTransaction } from './bitcoin-node.types.js';

/*
 * Bitcoin Core's answers, as far as they are read. Fields that not every fork or version has are optional.
 */

const HASH = /^[0-9a-f]{64}$/;
/** Wide enough for an amount with its zeros; what is longer costs time to read and is none. */
const MOST_AMOUNT_CHARS = 40;
const UINT32 = 0xffff_ffff;
/** Several times what waits when most does; what follows goes through them at once. */
const MOST_WAITING = 1_000_000;

/** By its length alone: a mempool lists a hundred thousand at each look, and looking at each digit takes fifty times as long. */
const isTxid = (value: unknown): value is string => typeof value === 'string' && value.length === 64;
export const isText = (value: unknown): value is string => typeof value === 'string';
const uint32 = z.int().min(0).max(UINT32);

export const coreHash = textLike(HASH, 'must be a hash');
export const coreTxids = listOfAll(isTxid, 'must be a list of hashes').refine(
  ({ length }) => length <= MOST_WAITING,
  `has more than ${MOST_WAITING} entries`,
);
/** A decimal number of coins, kept as text by `parseCoinJson`. */
export const coreAmount = z.string().max(MOST_AMOUNT_CHARS);
export const coreHeight = uint32;
export const coreIndex = uint32;

export const coreChainInfo = z.object({
  /** Said to whoever has configured another: what it is called is a short word. */
  chain: textLike(/^[ -~]{1,40}$/, 'must be the name of a chain'),
  /** The height of the best block. */
  blocks: coreHeight,
  headers: coreHeight,
  bestblockhash: coreHash,
  initialblockdownload: z.boolean(),
});

/** How many peers it is connected to. */
export const coreConnections = uint32;

/** Of an address that a node is asked about. */
export const coreValidity = z.object({ isvalid: z.boolean() });

export const coreMempoolInfo = z.object({ loaded: z.boolean().optional() });

/** Coins for 1,000 virtual bytes; left out where the node has not seen enough of them. */
export const coreFeeEstimate = z.object({ feerate: coreAmount.optional() });

export const coreHeader = z.object({
  height: coreHeight,
  /** Seconds since 1970. */
  time: uint32,
  previousblockhash: coreHash.optional(),
});

const input = z.object({
  txid: coreHash.optional(),
  vout: coreIndex.optional(),
  coinbase: z.string().optional(),
  txinwitness: listOfAll(isText, 'must be a list of texts').optional(),
});

const output = z.object({
  n: coreIndex.optional(),
  value: coreAmount.optional(),
  scriptPubKey: z.object({ hex: z.string().optional() }).optional(),
});

export const coreTransaction = z.object({
  txid: coreHash,
  vin: nodeList(input),
  vout: nodeList(output),
  blockhash: coreHash.optional(),
});

export const coreBlock = coreHeader.extend({
  hash: coreHash,
  previousblockhash: coreHash.optional(),
  tx: nodeListOfLists(coreTransaction, MOST_TRANSACTIONS),
});

export function toBitcoinBlock(raw: z.output<typeof coreBlock>): BitcoinBlock {
  return {
    height: raw.height,
    hash: raw.hash,
    parentHash: raw.previousblockhash ?? '',
    time: new Date(raw.time * 1_000),
    transactions: raw.tx.map(toTransaction),
  };
}

/** Litecoin's extension block has inputs and outputs without an outpoint, a script or an amount: none of them is ours. */
export function toTransaction({ txid, vin, vout }: z.output<typeof coreTransaction>): BitcoinTransaction {
  return {
    txid,
    isCoinbase: vin.some(({ coinbase }) => coinbase !== undefined),
    spends: vin.flatMap((spent) => outpointOf(txid, spent)),
    inputKeys: vin.flatMap(({ txinwitness }) => keyOf(txinwitness ?? [])),
    outputs: vout.flatMap(({ n, value, scriptPubKey }): BitcoinOutput[] => {
      const script = scriptPubKey?.hex;
      if (n === undefined || value === undefined || !script?.startsWith('0014')) return [];
      const amountAtoms = coinAtoms(value);
      if (amountAtoms === null) throw new InconsistentNode(`output ${n} of ${txid} has no exact amount`);
      return [{ index: n, script, amountAtoms }];
    }),
  };
}

function outpointOf(txid: string, spent: z.output<typeof input>): string[] {
  if (spent.txid === undefined) return [];
  if (spent.vout === undefined) throw new InconsistentNode(`an input of ${txid} spends no output`);
  return [`${spent.txid}:${spent.vout}`];
}

/** A P2WPKH input is unlocked by a signature and a compressed public key. */
function keyOf([, key = '', ...more]: readonly string[]): string[] {
  return more.length === 0 && /^0[23][0-9a-f]{64}$/.test(key) ? [key] : [];
}
