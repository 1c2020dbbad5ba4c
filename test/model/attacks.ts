import type { Seen } from './look.js';
import type { CoinTransaction } from './nodes/scripted-bitcoin.js';
import { type ModelIntent, written } from './reference.js';
import type { World } from './world.js';

/**
 * What no life may show, by the chains and the times at which money was really sent, without a model of the service.
 * @returns what is wrong, or `null`
 */
export function attacksOn(world: World, seen: Seen, model: ModelIntent, before: string): string | null {
  if ((seen.settledAt !== null) !== (seen.status === 'settled')) return 'settledAt does not fit the status';
  if (seen.walk.includes('confirmed') && seen.confirmedAt === null) return 'confirmed without a time';
  if (new Set(seen.transfers.map(({ key }) => key)).size < seen.transfers.length) return 'recorded twice';
  const misstated = seen.money.find(({ key, atoms, told }) => {
    const isSettled = seen.settledBy.some((settled) => settled.key === key);
    const isExcess = told.reason === 'excess';
    return told.amount !== written(BigInt(atoms), told.asset) || (isExcess && !isSettled);
  });
  if (misstated) return `an event misstates ${JSON.stringify(misstated)}`;
  const unrecorded = missing(world, seen, model);
  if (unrecorded) return `on the chain and not recorded: ${unrecorded}`;
  if (seen.status !== 'settled' || before === 'settled') return null;
  return settledWrongly(world, seen, model);
}

/** Whoever watches has recorded everything that the chain holds. */
function missing(world: World, seen: Seen, model: ModelIntent): string | null {
  const recorded = new Map(seen.transfers.map((transfer) => [transfer.key, transfer]));
  for (const network of world.networks) {
    if (world.blind.has(network)) continue;
    const own = world.sight(network).sightings.filter(({ height }) => height !== null);
    for (const { key, address, atoms } of own) {
      if (!model.quotes.some((quote) => quote.address === address)) continue;
      const found = recorded.get(key);
      if (found?.state !== 'included' || found.atoms !== atoms.toString()) return key;
    }
  }
  return null;
}

/** At the moment of settling. */
function settledWrongly(world: World, seen: Seen, model: ModelIntent): string | null {
  const sightings = [...world.sight('bitcoin').sightings, ...world.sight('ethereum').sightings];
  const settled = seen.settledBy.map(({ key }) => sightings.find((sighting) => sighting.key === key));
  const used = new Set<string>();
  for (const [i, transfer] of settled.entries()) {
    const { key } = seen.settledBy[i]!;
    if (transfer?.height == null) return `settled by ${key}, which no block of the chain holds`;
    if (transfer.own) return `settled by ${key}, which the merchant sent itself`;
    const txid = key.split('/')[0]!;
    for (const use of transfer.uses) used.add(`${use} ${txid}`);
    const deep =
      seen.depth === 'finalized'
        ? transfer.height <= world.evm.finalizedHeight
        : (transfer.key.startsWith('0x') ? world.evm : world.bitcoin).height - transfer.height + 1 >=
          Number(seen.depth);
    if (!deep) return `settled by ${key}, which is not final`;
  }
  const uses = [...used].map((text) => text.split(' ')[0]);
  if (new Set(uses).size < uses.length) return 'settled by both sides of a double spend';
  return freeOption(world, seen, model);
}

const LATE_MS = 60 * 60_000;

/**
 * Money that was first sent after the window settles nothing by itself, nor what came later than a merchant's rule takes:
 * the buyer would have waited for the rate. Where there are headers by miners, theirs is the word for what came while
 * nobody could see. Only a person may accept it.
 */
function freeOption(world: World, seen: Seen, { rules }: ModelIntent): string | null {
  const { acceptedBy } = seen;
  if (acceptedBy !== null && !acceptedBy.startsWith('rule:')) return null;
  const isLate = acceptedBy === 'rule:late' || (acceptedBy === 'rule:short' && rules.late);
  const endMs = seen.expiresAt.getTime() + (isLate ? LATE_MS : 0);
  const isPunctual = (txid: string) => {
    const sentMs = world.sentMs.get(txid) ?? Infinity;
    if (sentMs <= endMs || !world.wasBlindForCoins(sentMs, endMs)) return sentMs <= endMs;
    return (world.bitcoin.blockOf(txid)?.timeMs ?? Infinity) <= endMs;
  };
  const quoted = BigInt(seen.quotedAtoms ?? '0');
  const paid = seen.settledBy.reduce((sum, { atoms }) => sum + BigInt(atoms), 0n);
  const enough = acceptedBy === 'rule:short' ? quoted - (quoted * BigInt(rules.shortPercent)) / 100n : quoted;
  if (paid < enough) return `settled by ${acceptedBy} with ${paid} of ${enough} atoms`;
  // A rule takes nothing that it does not know the time of; without one, what is more than the price may be of any time.
  const needed = acceptedBy === 'rule:short' || acceptedBy === 'rule:late' ? paid : enough;
  const punctual = punctualOf(world, seen, isPunctual);
  const limitMs = seen.expiresAt.getTime() + DAY_MS;
  const idle = seen.settledBy.find(({ key }) => (world.bitcoin.blockOf(txidOf(key))?.timeMs ?? 0) > limitMs);
  if (acceptedBy !== null && idle) return `settled by ${idle.key}, which nobody mined for a day`;
  return punctual < needed
    ? `settled by a free option (${acceptedBy}): ${punctual} of ${needed} atoms were sent in time`
    : null;
}

const DAY_MS = 24 * 3_600_000;
const txidOf = (key: string): string => key.split('/')[0]!;

/**
 * How much of what settled stands for what its buyer had sent in time: of all transactions that have to do with each
 * other no more than could have been mined together.
 */
function punctualOf(world: World, seen: Seen, isPunctual: (txid: string) => boolean): bigint {
  const settled = new Map<string, bigint>();
  for (const { key, atoms } of seen.settledBy) {
    settled.set(txidOf(key), (settled.get(txidOf(key)) ?? 0n) + BigInt(atoms));
  }
  let punctual = 0n;
  const done = new Set<string>();
  for (const [txid, atoms] of settled) {
    const own = world.coinTransactions.get(txid);
    if (!own) punctual += least(atoms, sentOfNonce(world, txid, isPunctual));
    if (!own || done.has(txid)) continue;
    const group = new Set([own]);
    for (const member of group) {
      for (const other of world.coinTransactions.values()) {
        if (other.spends.some((outpoint) => member.spends.includes(outpoint))) group.add(other);
      }
    }
    for (const member of group) done.add(member.txid);
    const paid = [...group].reduce((sum, member) => sum + (settled.get(member.txid) ?? 0n), 0n);
    const sent = mostTogether([...group].filter((member) => isPunctual(member.txid)));
    punctual += least(paid, sent);
  }
  return punctual;
}

/** The most that one of those paid in time of which this one is: they use up one nonce, so one of them is mined. */
function sentOfNonce(world: World, txid: string, isPunctual: (txid: string) => boolean): bigint {
  const use = world.nonceTransactions.get(txid)?.use;
  const rivals = [...world.nonceTransactions].filter(([other, of]) => of.use === use && isPunctual(other));
  return rivals.reduce((most, [, { atoms }]) => (atoms > most ? atoms : most), 0n);
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** Of transactions that spend the same coin one at most. */
function mostTogether([first, ...others]: readonly CoinTransaction[]): bigint {
  if (!first) return 0n;
  const without = mostTogether(others);
  const beside = others.filter(({ spends }) => !spends.some((outpoint) => first.spends.includes(outpoint)));
  const atoms = first.pays.reduce((sum, pay) => sum + pay.atoms, 0n) + mostTogether(beside);
  return atoms > without ? atoms : without;
}
