import type { Portion } from '../chains.types.js';

/** A transfer beside another one that cannot be mined together with it. */
export interface Rival {
  readonly id: string;
  readonly txid: string;
  readonly amountAtoms: bigint;
  readonly observedAt: Date;
  readonly firstSeenAt: Date;
  readonly inherited: readonly Portion[];
}

export interface Loser extends Rival {
  /** Live until this very moment, and never taken the place of before: only such money hands its time on. */
  readonly bequeaths: boolean;
}

/** `winner` is what is there now; `null` where its transaction is back without paying this any more. */
export interface RivalPair {
  readonly loser: Loser;
  readonly winner: Rival | null;
}

export interface Supersession {
  readonly losers: readonly { readonly id: string; readonly replacedBy: string }[];
  readonly heirs: readonly { readonly id: string; readonly inherited: readonly Portion[] }[];
}

/** All of an amount, each part with the moment by which it was observed; earliest first. */
export function portionsOf(of: Omit<Rival, 'id' | 'txid'>): Portion[] {
  const rest = of.amountAtoms - of.inherited.reduce((sum, { atoms }) => sum + atoms, 0n);
  const own = { atoms: rest, at: of.observedAt, seenAt: of.firstSeenAt };
  return sorted(rest > 0n ? [...of.inherited, own] : [...of.inherited]);
}

/**
 * What takes the place of money that was live was there when that money was, for at most the amount that it replaces:
 * several losers of one transaction add up, several outputs of it share, and a chain of replacements hands on no more
 * than each of its links held. What comes beyond counts from its own first sight.
 */
export function supersede(pairs: readonly RivalPair[]): Supersession {
  const losers = new Map<string, { loser: Loser; replacedBy: string }>();
  const winners = new Map<string, Rival>();
  for (const { loser, winner } of pairs) {
    if (!losers.has(loser.id)) losers.set(loser.id, { loser, replacedBy: winner?.txid ?? loser.txid });
    if (winner) winners.set(winner.id, winner);
  }
  const heirs = [...new Set([...winners.values()].map(({ txid }) => txid))].flatMap((txid) => {
    // A loser hands on to one transaction only, whatever else spends another of its coins.
    const estate = [...losers.values()]
      .filter(({ loser, replacedBy }) => replacedBy === txid && loser.bequeaths)
      .flatMap(({ loser }) => portionsOf(loser));
    return shared(
      sorted(estate),
      [...winners.values()].filter((winner) => winner.txid === txid),
    );
  });
  return {
    losers: [...losers.values()].map(({ loser, replacedBy }) => ({ id: loser.id, replacedBy })),
    heirs,
  };
}

/** Earliest money first, each output up to its own amount. */
function shared(estate: readonly Portion[], winners: readonly Rival[]): Supersession['heirs'] {
  const left = estate.map((portion) => ({ ...portion }));
  return winners.flatMap((winner) => {
    const given: Portion[] = [];
    let room = winner.amountAtoms;
    for (const portion of left) {
      const atoms = portion.atoms < room ? portion.atoms : room;
      if (atoms === 0n || portion.at >= winner.observedAt) continue;
      given.push({ ...portion, atoms });
      portion.atoms -= atoms;
      room -= atoms;
    }
    const inherited = atLeast(winner.inherited, given);
    return given.length === 0 ? [] : [{ id: winner.id, inherited }];
  });
}

/**
 * By every moment the more of the two, never their sum: what comes and goes inherits nothing twice. Seen it was when the
 * first of its moment was.
 */
function atLeast(a: readonly Portion[], b: readonly Portion[]): Portion[] {
  const by = (portions: readonly Portion[], at: Date) =>
    portions.reduce((sum, portion) => (portion.at <= at ? sum + portion.atoms : sum), 0n);
  const moments = [...new Set([...a, ...b].map(({ at }) => at.getTime()))].sort((x, y) => x - y);
  let before = 0n;
  return moments.flatMap((moment) => {
    const at = new Date(moment);
    const [inA, inB] = [by(a, at), by(b, at)];
    const atoms = (inA > inB ? inA : inB) - before;
    before += atoms;
    const seen = [...a, ...b].filter((portion) => portion.at.getTime() === moment);
    const seenAt = new Date(Math.min(...seen.map((portion) => portion.seenAt.getTime())));
    return atoms > 0n ? [{ atoms, at, seenAt }] : [];
  });
}

function sorted(portions: readonly Portion[]): Portion[] {
  return [...portions].sort((a, b) => a.at.getTime() - b.at.getTime());
}
