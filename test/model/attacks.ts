import type { Seen } from './look.js';
import { written, type ModelIntent } from './reference.js';
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
  return settledWrongly(world, seen);
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
function settledWrongly(world: World, seen: Seen): string | null {
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
  return seen.acceptedBy === null || seen.acceptedBy === 'rule:seen-late' ? freeOption(world, seen) : null;
}

/**
 * Money that was first sent after the window settles nothing by itself: the buyer would have waited for the rate. Where
 * there are headers by miners, theirs is the word for what came while nobody could see.
 */
function freeOption(world: World, seen: Seen): string | null {
  const endMs = seen.expiresAt.getTime();
  const isPunctual = (txid: string) => {
    const sentMs = world.sentMs.get(txid) ?? Infinity;
    if (sentMs <= endMs || !world.wasBlindForCoins(sentMs, endMs)) return sentMs <= endMs;
    return (world.bitcoin.blockOf(txid)?.timeMs ?? Infinity) <= endMs;
  };
  let punctual = 0n;
  const lent = new Map<string, bigint>();
  for (const { key, atoms } of seen.settledBy) {
    const txid = key.split('/')[0]!;
    if (isPunctual(txid)) punctual += BigInt(atoms);
    else punctual += replacedBy(world, txid, BigInt(atoms), isPunctual, lent);
  }
  return punctual < BigInt(seen.quotedAtoms ?? '0')
    ? `settled by a free option: ${punctual} of ${seen.quotedAtoms} atoms were sent in time`
    : null;
}

/** How much of a late transaction stands for what its buyer had sent in time. */
function replacedBy(
  world: World,
  txid: string,
  atoms: bigint,
  isPunctual: (txid: string) => boolean,
  lent: Map<string, bigint>,
): bigint {
  const own = world.coinTransactions.get(txid);
  if (!own) return 0n;
  const group = new Set([own]);
  for (const member of group) {
    for (const other of world.coinTransactions.values()) {
      if (other.spends.some((outpoint) => member.spends.includes(outpoint))) group.add(other);
    }
  }
  let stands = 0n;
  for (const other of group) {
    if (!isPunctual(other.txid)) continue;
    const sent = other.pays.reduce((sum, pay) => sum + pay.atoms, 0n) - (lent.get(other.txid) ?? 0n);
    const taken = sent < atoms - stands ? sent : atoms - stands;
    lent.set(other.txid, (lent.get(other.txid) ?? 0n) + taken);
    stands += taken;
  }
  return stands;
}
