/**
 * What must become of an intent, written from the rules and from what the chains show, and sharing nothing with the
 * service: how statuses walk, what counts and since when, what waits for a decision, and what a merchant's standing
 * rules take off it. Times are milliseconds of the database's clock, amounts atoms.
 */
export type NetworkName = 'bitcoin' | 'ethereum';

/** One credited movement, as the chain or the mempool shows it at a moment. */
export interface Sighting {
  readonly key: string;
  readonly address: string;
  readonly asset: string;
  readonly atoms: bigint;
  /** What its transaction uses up: outputs, or an account's number. Another transaction that uses one excludes it. */
  readonly uses: readonly string[];
  /** Sent by the merchant itself, from an address that was issued to it. */
  readonly own: boolean;
  /** `null` while it waits for a block. */
  readonly height: number | null;
  readonly blockMs: number | null;
}

/** What a watcher sees of a network in one look. */
export interface Sight {
  readonly network: NetworkName;
  readonly nowMs: number;
  readonly height: number;
  readonly finalizedHeight: number;
  readonly sightings: readonly Sighting[];
  /** What blocks have used up, and by which transaction at what height. */
  readonly used: ReadonlyMap<string, { readonly txid: string; readonly height: number }>;
  /** What would be used up by transactions that wait. */
  readonly claimed: ReadonlyMap<string, string>;
  /** Whether everything that waits was looked at too. */
  readonly poolRead: boolean;
}

export interface Known extends Sighting {
  readonly network: NetworkName;
  /** Since when it counts by itself. */
  atMs: number;
  /** What was live when it took the place of it. */
  readonly instead: Known[];
  here: boolean;
  /** While it is not here: since when, by time in which we could see. */
  missingForMs: number;
  /** Proven impossible by a block with the confirmation depth. */
  excluded: boolean;
  /** Another transaction pays the same address in its place. */
  replacedBy: string | null;
  /** Another transaction has been seen in its place, wherever that pays: nothing takes its time over any more. */
  displaced: boolean;
  /** When we saw it first. */
  readonly firstMs: number;
}

export interface ModelQuote {
  readonly network: NetworkName;
  readonly asset: string;
  readonly address: string;
  readonly atoms: bigint;
  readonly settlementDepth: ModelDepth;
  /** For more than the price: below a hundred, a thousand and ten thousand francs, and above. */
  readonly tiers: readonly ModelDepth[];
}

export type ModelDepth = number | 'finalized';

/** The merchant's standing rules. */
export interface ModelRules {
  readonly seenLate: boolean;
  /** Short by at most this many percent; 0 is off. */
  readonly shortPercent: number;
  /** Late by at most an hour. */
  readonly late: boolean;
  /** Blocks until a payment counts as confirmed, and until what a block excludes counts as lost. */
  readonly confirmationDepth: number;
}

/** Each is a merchant of its own. */
export const RULES: readonly ModelRules[] = [
  { seenLate: false, shortPercent: 0, late: false, confirmationDepth: 1 },
  { seenLate: true, shortPercent: 0, late: false, confirmationDepth: 1 },
  { seenLate: true, shortPercent: 50, late: false, confirmationDepth: 1 },
  { seenLate: true, shortPercent: 50, late: true, confirmationDepth: 1 },
  { seenLate: false, shortPercent: 0, late: false, confirmationDepth: 3 },
  { seenLate: true, shortPercent: 50, late: true, confirmationDepth: 3 },
];

/** What an event says of money. Not its time: which of two outputs of one transaction takes over first is no rule. */
export interface MoneyTold {
  readonly reason: string;
  readonly network: NetworkName;
  readonly asset: string;
  readonly amount: string;
  readonly txid: string;
}

export type ModelStatus =
  'initiated' | 'pending' | 'confirmed' | 'settled' | 'failed' | 'expired' | 'cancelled';

/** Longer without a look, and we were blind in between. */
const BLIND_AFTER_MS = 120_000;
const GRACE_MS = { bitcoin: 2 * 3_600_000, ethereum: 10 * 60_000 } as const;
const UNCONFIRMED_MS = 24 * 3_600_000;
const LATE_AT_MOST_MS = 60 * 60_000;

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, atoms) => total + atoms, 0n);
const DECIMALS: Readonly<Record<string, number>> = { BTC: 8, ETH: 18, USDC: 6, USDT: 6 };
const WRITTEN_DECIMALS = 8;
/** The least that is written of an asset, in its atoms. */
const unit = (asset: string): bigint => 10n ** BigInt(Math.max(0, DECIMALS[asset]! - WRITTEN_DECIMALS));

/** Always with eight decimals; what is less is left away. */
export function written(atoms: bigint, asset: string): string {
  const fine = atoms * 10n ** BigInt(WRITTEN_DECIMALS);
  const digits = (fine / 10n ** BigInt(DECIMALS[asset]!)).toString().padStart(WRITTEN_DECIMALS + 1, '0');
  return `${digits.slice(0, -WRITTEN_DECIMALS)}.${digits.slice(-WRITTEN_DECIMALS)}`;
}

const txidOf = ({ key }: { readonly key: string }): string => key.split('/')[0]!;

/** What is known of the chains: shared by the intents of a life. */
export class ModelChains {
  readonly known = new Map<string, Known>();
  readonly tips = new Map<NetworkName, { height: number; finalizedHeight: number; seenMs: number }>();
  /** The last time at which everything that waits had been looked at. */
  private readonly poolMs = new Map<NetworkName, number>();

  constructor(private readonly confirmationDepth: number) {}

  /** Nothing happened for a while, and we saw that nothing did. */
  quiet(network: NetworkName, forMs: number, nowMs: number, poolRead: boolean): void {
    const tip = this.tips.get(network);
    if (tip) tip.seenMs = nowMs;
    if (poolRead) this.poolMs.set(network, nowMs);
    for (const transfer of this.of(network)) if (!transfer.here) transfer.missingForMs += forMs;
  }

  see(sight: Sight): void {
    const { network, nowMs, sightings } = sight;
    const liveBefore = this.of(network).filter((transfer) => this.isLive(transfer));
    const arrived = sightings.filter(({ key }) => !this.known.get(key)?.here).map(({ key }) => key);
    const fresh = new Set(arrived.filter((key) => !this.known.has(key)));
    for (const sighting of sightings) {
      if (!fresh.has(sighting.key)) continue;
      const state = { here: true, missingForMs: 0, excluded: false, replacedBy: null, displaced: false };
      const seen = { network, firstMs: nowMs, atMs: this.observedMs(sight, sighting), instead: [] };
      this.known.set(sighting.key, { ...sighting, ...seen, ...state });
    }
    const shown = new Map(sightings.map((sighting) => [sighting.key, sighting]));
    for (const transfer of this.of(network)) this.update(transfer, shown.get(transfer.key), sight);
    // Of what spends coins of one loser at once, what is in a block is looked at first.
    const order = (key: string) => `${shown.get(key)!.height === null ? 1 : 0} ${key}`;
    for (const key of arrived.sort((a, b) => (order(a) < order(b) ? -1 : 1)))
      this.takePlace(this.known.get(key)!, liveBefore);
    for (const transfer of this.of(network)) {
      const rivals = transfer.uses.flatMap((use) => [sight.used.get(use)?.txid, sight.claimed.get(use)]);
      if (!transfer.here && rivals.some((txid) => txid && txid !== txidOf(transfer)))
        transfer.displaced = true;
    }
    // A time that is counted goes on while everything is looked at: blocks, and what waits for one.
    const seenMs = sight.poolRead ? nowMs : (this.tips.get(network)?.seenMs ?? -Infinity);
    this.tips.set(network, { height: sight.height, finalizedHeight: sight.finalizedHeight, seenMs });
    if (sight.poolRead) this.poolMs.set(network, nowMs);
  }

  /** May still be there: here, or missing for less than the grace time. */
  isLive({ here, excluded, replacedBy, missingForMs, network }: Known): boolean {
    return here || (!excluded && replacedBy === null && missingForMs < GRACE_MS[network]);
  }

  /** The same, and also while what takes its place is not deep yet. */
  mayBeMined({ here, excluded, missingForMs, network }: Known): boolean {
    return here || (!excluded && missingForMs < GRACE_MS[network]);
  }

  depth(transfer: Known): number {
    const tip = this.tips.get(transfer.network);
    return transfer.here && transfer.height !== null && tip ? tip.height - transfer.height + 1 : 0;
  }

  hasDepth(transfer: Known, wanted: number | 'finalized'): boolean {
    if (wanted !== 'finalized') return this.depth(transfer) >= wanted;
    const tip = this.tips.get(transfer.network);
    return transfer.here && transfer.height !== null && transfer.height <= (tip?.finalizedHeight ?? -1);
  }

  at(addresses: readonly string[]): Known[] {
    return [...this.known.values()].filter(({ address }) => addresses.includes(address));
  }

  private of(network: NetworkName): Known[] {
    return [...this.known.values()].filter((transfer) => transfer.network === network);
  }

  private observedMs({ network, nowMs }: Sight, { blockMs }: Sighting): number {
    if (network === 'ethereum') return Math.min(nowMs, blockMs!);
    const blindSinceMs = this.poolMs.get(network) ?? -Infinity;
    if (blockMs === null || nowMs - blindSinceMs <= BLIND_AFTER_MS) return nowMs;
    return Math.min(nowMs, Math.max(blockMs, blindSinceMs));
  }

  private update(transfer: Known, shown: Sighting | undefined, sight: Sight): void {
    if (shown) {
      const { height, blockMs } = shown;
      Object.assign(transfer, { height, blockMs, here: true, missingForMs: 0 });
      Object.assign(transfer, { excluded: false, replacedBy: null, displaced: false });
      if (sight.network !== 'ethereum' || blockMs === null) return;
      transfer.atMs = Math.min(transfer.atMs, blockMs);
      return;
    }
    // Whether it still waits is not known while nobody tells what does.
    const waits = transfer.here && transfer.height === null && !sight.poolRead;
    const winners = transfer.uses.flatMap((use) => sight.used.get(use) ?? []);
    const others = winners.filter(({ txid }) => txid !== txidOf(transfer));
    if (waits && others.length === 0) return;
    if (transfer.here) Object.assign(transfer, { here: false, height: null, blockMs: null, missingForMs: 0 });
    const decidedHeight = sight.height - this.confirmationDepth + 1;
    if (others.some(({ height }) => height <= decidedHeight)) transfer.excluded = true;
  }

  /** A payment that takes the place of one that is live may be as early: one transaction only, whatever else spends its coins. */
  private takePlace(winner: Known, liveBefore: readonly Known[]): void {
    for (const loser of liveBefore) {
      const isLost = !loser.here && loser.address === winner.address && loser.asset === winner.asset;
      if (!isLost || !excludes(loser, winner)) continue;
      loser.replacedBy ??= txidOf(winner);
      if (loser.replacedBy !== txidOf(winner) || loser.displaced) continue;
      if (!winner.instead.includes(loser)) winner.instead.push(loser);
    }
  }
}

/** One transaction uses up what the other one needs. */
function excludes(a: Known, b: Known): boolean {
  return txidOf(a) !== txidOf(b) && a.uses.some((use) => b.uses.includes(use));
}

/** The largest first, and then by name. */
function inOrder(transfers: readonly Known[]): Known[] {
  return [...transfers].sort((a, b) => {
    if (a.atoms === b.atoms) return a.key < b.key ? -1 : 1;
    return a.atoms > b.atoms ? -1 : 1;
  });
}

/**
 * How much of these was there by a moment. What had been seen itself is worth its amount, once: to itself while it is
 * among these, otherwise to what came in its place, and there not beyond what any step on the way paid. Nothing is worth
 * anything beside what cannot be mined together with it.
 */
function early(transfers: readonly Known[], byMs: number): bigint {
  const worth = new Map<Known, bigint>();
  const take = (one: Known, atMost: bigint): bigint => {
    if ([...worth.keys()].some((other) => worth.get(other)! < other.atoms && excludes(one, other))) return 0n;
    const left = worth.get(one) ?? one.atoms;
    const taken = left < atMost ? left : atMost;
    worth.set(one, left - taken);
    return taken;
  };
  const seen = inOrder(transfers.filter(({ atMs }) => atMs <= byMs));
  let total = sum(seen.map((one) => take(one, one.atoms)));
  for (const heir of inOrder(transfers)) {
    if (heir.atMs <= byMs) continue;
    const asked = new Set([heir]);
    const collect = (from: Known, atMost: bigint): bigint => {
      let got = 0n;
      for (const one of inOrder(from.instead)) {
        if (asked.has(one)) continue;
        asked.add(one);
        const wanted = one.atoms < atMost - got ? one.atoms : atMost - got;
        got += one.atMs <= byMs ? take(one, wanted) : collect(one, wanted);
      }
      return got;
    };
    total += collect(heir, heir.atoms);
  }
  return total;
}

interface Tally {
  readonly quote: ModelQuote;
  readonly counting: readonly Known[];
  readonly atoms: bigint;
  readonly complete: boolean;
}

export class ModelIntent {
  status: ModelStatus = 'initiated';
  walk: ModelStatus[] = ['initiated'];
  readonly quotes: ModelQuote[] = [];
  /** The latest pick. */
  picked: ModelQuote | null = null;
  private completed: ModelQuote | null = null;
  /** By a settlement or a decision. */
  readonly covered = new Set<string>();
  settledBy: readonly Known[] = [];
  private settledQuote: ModelQuote | null = null;
  private settledMs = 0;
  /** Of which its merchant has been told, once: final money that no settlement took, and in which words. */
  readonly announced = new Map<string, MoneyTold>();
  /** What it was told to be too much, together. */
  excessAtoms = 0n;

  /** Of these transfers so much was too much, and nobody was told of it yet. */
  private untoldExcess = new Map<string, bigint>();

  constructor(
    readonly chains: ModelChains,
    readonly rules: ModelRules,
    readonly expiresMs: number,
    readonly amountMinor: bigint,
  ) {}

  get ended(): boolean {
    return ['settled', 'failed', 'expired', 'cancelled'].includes(this.status);
  }

  private get isOpen(): boolean {
    return this.status === 'initiated' || this.status === 'pending';
  }

  /** At any of its addresses, whatever it is; not what the merchant sent itself. */
  get live(): Known[] {
    const at = this.chains.at(this.quotes.map(({ address }) => address));
    return at.filter((transfer) => !transfer.own && this.chains.isLive(transfer));
  }

  /** Live money that nothing has dealt with. */
  get open(): Known[] {
    return this.live.filter(({ key }) => !this.covered.has(key));
  }

  get queued(): boolean {
    return this.ended && this.open.length > 0;
  }

  /** Money that settled it, or that its merchant was told of, has left the chain. */
  get undone(): boolean {
    const told = [...this.announced.keys()].map((key) => this.chains.known.get(key)!);
    return [...this.settledBy, ...told].some(({ here, height }) => !here || height === null);
  }

  get mayCancel(): { buyer: boolean; merchant: boolean } {
    return {
      buyer: this.isOpen && this.live.length === 0,
      merchant: this.isOpen && this.completed === null,
    };
  }

  get mayPick(): boolean {
    return this.isOpen && this.quotes.every((quote) => this.liveOf(quote).length === 0);
  }

  pick(quote: ModelQuote): void {
    if (!this.quotes.includes(quote)) this.quotes.push(quote);
    this.picked = quote;
  }

  private liveOf({ asset, address, network }: ModelQuote, among = this.live): Known[] {
    return among.filter((t) => t.network === network && t.asset === asset && t.address === address);
  }

  /** How much of these is early enough, together. */
  private punctual(...transfers: Known[]): bigint {
    return early(transfers, this.expiresMs);
  }

  private tally(quote: ModelQuote): Tally {
    const counting = this.liveOf(quote).filter((transfer) => this.punctual(transfer) > 0n);
    const atoms = this.punctual(...counting);
    return { quote, counting, atoms, complete: atoms >= quote.atoms };
  }

  private deep({ quote, counting }: Tally, depth: number | 'finalized'): boolean {
    const reached = counting.filter((transfer) => this.chains.hasDepth(transfer, depth));
    return this.punctual(...reached) >= quote.atoms;
  }

  /** Somebody looks: everything that is due happens. */
  look(nowMs: number): void {
    if (!this.ended) this.decide(nowMs);
    const rule = this.byRule;
    if (rule) this.settle(rule.quote, rule.transfers, nowMs);
    if (!this.ended) return;
    const settled = new Set(this.settledBy.map(({ key }) => key));
    for (const transfer of this.live) {
      const { key, network, asset, atoms } = transfer;
      if (!this.isFinal(transfer) || settled.has(key) || this.announced.has(key)) continue;
      const [reason, amount] = [this.reasonOf(transfer), written(atoms, asset)];
      this.announced.set(key, { reason, network, asset, amount, txid: txidOf(transfer) });
    }
    for (const [key, atoms] of this.untoldExcess) {
      const transfer = this.live.find((one) => one.key === key);
      if (!transfer || !this.isFinal(transfer)) continue;
      this.excessAtoms += atoms;
      this.untoldExcess.delete(key);
    }
  }

  /** As deep as all that came must be, and never less than its quote asks; what nobody quoted as deep as it gets. */
  isFinal(transfer: Known): boolean {
    const own = this.quotes.find((quote) => this.liveOf(quote, [transfer]).length > 0);
    const near = this.quotes.find(({ network }) => network === transfer.network)!;
    if (!own) return this.chains.hasDepth(transfer, near.tiers[3]!);
    const francs = this.quotes.map((quote) => {
      const atoms = sum(this.liveOf(quote).map((one) => one.atoms));
      return Math.ceil(Number((this.amountMinor * atoms * 1_000n) / quote.atoms) / 1_000) / 100;
    });
    const worth = francs.reduce((a, b) => a + b, 0);
    const isMore = worth > Number(this.amountMinor) / 100;
    const tier = [100, 1_000, 10_000].filter((bound) => worth >= bound).length;
    return this.chains.hasDepth(transfer, isMore ? own.tiers[tier]! : own.settlementDepth);
  }

  /** Why it waits for a decision: of its money, what matters most. */
  get reason(): string | null {
    if (!this.queued) return null;
    const reasons = this.open.map((transfer) => this.reasonOf(transfer));
    const weight = [
      'in-time-seen-late',
      'late',
      'underpaid',
      'beside-settlement',
      'after-settlement',
      'cancelled',
      'failed',
    ];
    const [first] = [...weight, 'other-quote', 'other-asset', 'other-network'].filter((reason) =>
      reasons.includes(reason),
    );
    return first!;
  }

  /** Why it is not the price. */
  private reasonOf(transfer: Known): string {
    const { status, open } = this;
    if (status === 'cancelled' || status === 'failed') return status;
    const quote = this.quotes.find((candidate) => this.liveOf(candidate, [transfer]).length > 0);
    const { network, address } = transfer;
    if (!quote) {
      const isHere = this.quotes.some((one) => one.network === network && one.address === address);
      return isHere ? 'other-asset' : 'other-network';
    }
    if (status === 'settled' && quote !== this.settledQuote) return 'other-quote';
    if (status === 'settled')
      return transfer.firstMs <= this.settledMs ? 'beside-settlement' : 'after-settlement';
    const among = open.includes(transfer) ? open : [...open, transfer];
    const paid = this.bestOf(among)!;
    if (paid.quote !== quote) return 'other-quote';
    const punctual = this.punctual(...paid.transfers);
    const isNew = paid.transfers.some(({ firstMs }) => firstMs > this.expiresMs);
    if (isNew && punctual >= quote.atoms) return 'in-time-seen-late';
    return sum(paid.transfers.map(({ atoms }) => atoms)) >= quote.atoms ? 'late' : 'underpaid';
  }

  /** The quote that was paid most of what it asked for. */
  private bestOf(among: readonly Known[]): { quote: ModelQuote; transfers: Known[] } | null {
    const shares = this.quotes.map((quote) => {
      const transfers = this.liveOf(quote, [...among]);
      return { quote, transfers, share: (sum(transfers.map((t) => t.atoms)) * 1_000_000n) / quote.atoms };
    });
    const [best] = shares
      .filter(({ transfers }) => transfers.length > 0)
      .sort((a, b) => Number(b.share - a.share));
    return best ?? null;
  }

  go(status: ModelStatus): void {
    this.status = status;
    this.walk.push(status);
  }

  settle(quote: ModelQuote, transfers: readonly Known[], nowMs: number): void {
    this.settledBy = transfers;
    this.settledQuote = quote;
    this.settledMs = nowMs;
    for (const { key } of transfers) this.covered.add(key);
    this.untoldExcess = this.excessOf(quote, transfers);
    this.go('settled');
  }

  /** What came last is what was too much; of what was told of before, nothing is told again. */
  private excessOf(quote: ModelQuote, transfers: readonly Known[]): Map<string, bigint> {
    const excess = sum(transfers.map(({ atoms }) => atoms)) - quote.atoms;
    let left = excess >= unit(quote.asset) ? excess : 0n;
    const parts = [...transfers]
      .sort((a, b) => lastMs(b) - lastMs(a))
      .map(({ key, atoms }): [string, bigint] => {
        const part = atoms < left ? atoms : left;
        left -= part;
        return [key, this.announced.has(key) ? 0n : part];
      });
    return new Map(parts.filter(([, part]) => part > 0n));
  }

  dismiss(): void {
    for (const { key } of this.open) this.covered.add(key);
  }

  private decide(nowMs: number): void {
    const tallies = this.quotes.map((quote) => this.tally(quote));
    const lapsed = nowMs > this.expiresMs;
    if (this.status === 'initiated' && tallies.some(({ counting }) => counting.length > 0))
      this.go('pending');
    const complete = tallies.filter((tally) => tally.complete).sort((a, b) => firstMs(a) - firstMs(b));
    const before = tallies.find(({ quote }) => quote === this.completed);
    const kept = before && (before.complete || this.mostOf(before.quote) >= before.quote.atoms);
    const isConfirmed = (tally: Tally) => this.deep(tally, this.rules.confirmationDepth);
    const isSettling = (tally: Tally) => this.deep(tally, tally.quote.settlementDepth);
    // Whichever is deep enough, but what has been confirmed stays with its quote.
    const chosen =
      (before && isConfirmed(before) ? before : undefined) ??
      complete.find(isSettling) ??
      complete.find(isConfirmed) ??
      (before?.complete ? before : complete[0]) ??
      (kept ? before : undefined);
    const confirming = chosen && isConfirmed(chosen);
    const settling = chosen && isSettling(chosen) ? chosen : undefined;
    if (chosen) this.completed = chosen.quote;
    else if (!lapsed) this.completed = null;
    if (this.status === 'pending' && confirming) this.go('confirmed');
    if (this.status === 'confirmed' && settling) {
      const { quote, counting } = settling;
      const final = counting.filter((transfer) => this.chains.hasDepth(transfer, quote.settlementDepth));
      this.settle(quote, final, nowMs);
    }
    if (!lapsed || this.ended) return;
    if (this.completed === null) return this.go('expired');
    if (!chosen) return this.go('failed');
    const seenMs = this.chains.tips.get(this.completed.network)?.seenMs ?? 0;
    if (this.deep(chosen, 1)) return;
    if (this.status === 'pending' && seenMs - this.expiresMs >= UNCONFIRMED_MS) this.go('failed');
  }

  /** The most that may turn out to be there in time: of transactions that exclude each other, one. */
  private mostOf({ asset, address }: ModelQuote): bigint {
    const possible = this.chains
      .at([address])
      .filter((transfer) => transfer.asset === asset && !transfer.own && this.chains.mayBeMined(transfer));
    const txids = [...new Set(possible.map(txidOf))];
    const most = (from: number, used: ReadonlySet<string>, mined: readonly Known[]): bigint => {
      const txid = txids[from];
      if (txid === undefined) return this.punctual(...mined);
      const without = most(from + 1, used, mined);
      const own = possible.filter((transfer) => txidOf(transfer) === txid);
      if (own.some(({ uses }) => uses.some((use) => used.has(use)))) return without;
      const all = new Set([...used, ...own.flatMap(({ uses }) => uses)]);
      const beside = most(from + 1, all, [...mined, ...own]);
      return beside > without ? beside : without;
    };
    return most(0, new Set(), []);
  }

  /** What an accept would settle: the final money of the quote that got most of what it asked for. */
  get acceptable(): { quote: ModelQuote; transfers: Known[] } | null {
    if (this.status !== 'expired') return null;
    const final = this.quotes.flatMap((quote) =>
      this.liveOf(quote, this.open).filter((t) => this.chains.hasDepth(t, quote.settlementDepth)),
    );
    return this.bestOf(final);
  }

  /** What a standing rule accepts now: the most of it, as it came. Never after somebody has decided about a part. */
  private get byRule(): { quote: ModelQuote; transfers: readonly Known[] } | null {
    const found = this.acceptable;
    if (!found || this.covered.size > 0) return null;
    const { quote, transfers } = found;
    const ordered = [...transfers].sort((a, b) => lastMs(a) - lastMs(b));
    for (let taken = ordered.length; taken > 0; taken -= 1) {
      const part = ordered.slice(0, taken);
      if (this.isAccepted(quote, part)) return { quote, transfers: part };
    }
    return null;
  }

  private isAccepted(quote: ModelQuote, transfers: readonly Known[]): boolean {
    const { rules, expiresMs } = this;
    const all = sum(transfers.map(({ atoms }) => atoms));
    const isMined = transfers.every(({ blockMs }) => (blockMs ?? 0) <= expiresMs + UNCONFIRMED_MS);
    const isNew = transfers.some(({ firstMs }) => firstMs > expiresMs);
    if (isNew && isMined && this.punctual(...transfers) >= quote.atoms) return rules.seenLate;
    const isPunctual = isMined && this.punctual(...transfers) === all;
    const isSoon = isMined && early(transfers, expiresMs + LATE_AT_MOST_MS) === all;
    if (!isPunctual && !(rules.late && isSoon)) return false;
    if (all >= quote.atoms) return !isPunctual;
    return quote.atoms - all <= (quote.atoms * BigInt(rules.shortPercent)) / 100n;
  }
}

/** It and all that it stands for, by when each was seen. */
function moments(transfer: Known): number[] {
  const all = new Set([transfer]);
  for (const { instead } of all) for (const one of instead) all.add(one);
  return [...all].map(({ atMs }) => Math.min(atMs, transfer.atMs)).sort((a, b) => a - b);
}

function firstMs({ counting }: Tally): number {
  return Math.min(...counting.flatMap(moments));
}

function lastMs(transfer: Known): number {
  return moments(transfer).find((ms) => early([transfer], ms) >= transfer.atoms)!;
}
