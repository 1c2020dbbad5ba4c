import { bitcoinWatcher } from '../../src/modules/chains/bitcoin/bitcoin-chain.js';
import { SpendsRepository } from '../../src/modules/chains/bitcoin/data/spends.repository.js';
import { BalancesRepository } from '../../src/modules/chains/data/balances/balances.repository.js';
import type { Term } from '../../src/modules/chains/data/fenced.statement.js';
import { LedgerRepository } from '../../src/modules/chains/data/ledger.repository.js';
import { evmWatcher } from '../../src/modules/chains/evm/evm-chain.js';
import type { Watcher } from '../../src/modules/chains/watching/watcher.types.js';
import { presentTerm } from '../chain/term.js';
import type { Command, Mined, Target } from './commands.js';
import { compareWithChain } from './comparison.js';
import { type CoinPayment, type CoinTransaction, hashOf, ScriptedBitcoin } from './nodes/scripted-bitcoin.js';
import { type EvmPayment, ScriptedEvm } from './nodes/scripted-evm.js';
import type { NetworkName, Sight, Sighting } from './reference.js';
import { type Stage, TOKENS } from './stage.js';

/** What watchers write, and nobody else while a life stands between two commands. */
const WATCHED_TABLES = [
  'transfer',
  'chain_cursor',
  'cursor_asset',
  'chain_block',
  'coin_baseline',
  'collection',
  'fact_change',
];

/** Where the money of a life may go: the intent, and another one of the same merchant. */
export interface Place {
  readonly asset: string;
  readonly address: string;
  readonly atoms: bigint;
  /** The public key that moves what arrives there; `null` where accounts move it. */
  readonly key: string | null;
  readonly issuedMs: number;
}

/**
 * Coin that comes inside a transaction is looked for at addresses that are no older. At those that are older than the
 * other the comparison finds it; in between, once it has found them, and then compares a later block.
 */
const WATCHED_MS = 24 * 3_600_000;
const LEFT_ALONE_MS = 25 * 3_600_000;
const BUYER = `0x${'b'.repeat(40)}`;
const ELSEWHERE = `0x${'e'.repeat(40)}`;
const CONTRACT = `0x${'c'.repeat(40)}`;
const COIN_ELSEWHERE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

/** Which networks look different after it. */
function stirredBy(command: Command): readonly NetworkName[] {
  switch (command.do) {
    case 'send':
    case 'send-own':
    case 'mine':
    case 'fork':
    case 'forget':
    case 'resend':
    case 'pool':
      return ['bitcoin'];
    case 'pay':
    case 'pay-inside':
    case 'blocks':
    case 'fork-evm':
    case 'back':
      return ['ethereum'];
    case 'blind':
    case 'see':
    case 'stall':
    case 'reconcile':
      return [command.network];
    default:
      return ['bitcoin', 'ethereum'];
  }
}

/** The chains of a life, and those who watch them. */
export class World {
  readonly bitcoin: ScriptedBitcoin;
  readonly evm: ScriptedEvm;
  readonly blind = new Set<NetworkName>();
  /** When the world first could know of a transaction. */
  readonly sentMs = new Map<string, number>();
  readonly coinTransactions = new Map<string, CoinTransaction>();
  /** Of the EVM chain, on whatever fork: by whose nonce each is excluded, and what it pays. */
  readonly nonceTransactions = new Map<string, { readonly use: string; readonly atoms: bigint }>();
  readonly places: Place[] = [];
  readonly siblingPlaces: Place[] = [];
  /** From when to when nobody saw all of Bitcoin: what waits included. */
  private readonly coinBlindness: { readonly fromMs: number; toMs: number }[] = [];
  private watchers: Record<NetworkName, Watcher>;
  private readonly terms = new Map<NetworkName, Term>();
  private readonly hidden: CoinTransaction[] = [];
  /** What has something to show; a look at anything else would find what the one before has found. */
  private readonly stirred = new Set<NetworkName>(['bitcoin', 'ethereum']);
  private stalled: { readonly release: () => void; readonly done: Promise<unknown> } | null = null;

  constructor(
    private readonly stage: Stage,
    /** Those that the life is about; the others are not watched at all. */
    readonly networks: readonly NetworkName[],
  ) {
    this.bitcoin = new ScriptedBitcoin(stage.clock.nowMs);
    this.evm = new ScriptedEvm(stage.networks.ethereum.chainId!, stage.clock.nowMs);
    this.watchers = this.newWatchers();
  }

  private newWatchers(): Record<NetworkName, Watcher> {
    return { bitcoin: this.watcher('bitcoin'), ethereum: this.watcher('ethereum') };
  }

  private watcher(network: NetworkName, seen: <T extends object>(node: T) => T = (node) => node): Watcher {
    const { app, networks } = this.stage;
    const ledger = app.get(LedgerRepository, { strict: false });
    if (network === 'bitcoin') {
      const spends = app.get(SpendsRepository, { strict: false });
      return bitcoinWatcher(networks.bitcoin, seen(this.bitcoin), ledger, spends);
    }
    const balances = app.get(BalancesRepository, { strict: false });
    const assets = networks.ethereum.assets.filter(({ symbol }) => !this.isOld || symbol !== 'USDT');
    return evmWatcher({ ...networks.ethereum, assets }, seen(this.evm), ledger, balances);
  }

  /** Everybody who is not blind looks until there is nothing more. @returns what they saw */
  async watch(): Promise<Sight[]> {
    const sights: Sight[] = [];
    for (const network of this.networks) {
      if (this.blind.has(network) || !this.stirred.delete(network)) continue;
      for (let steps = 0; (await this.step(network)) === 'more'; steps += 1) {
        if (steps > 100) throw new Error(`the watcher of ${network} finds no end`);
      }
      if (network === 'ethereum') this.noticeInside(({ ageMs }) => ageMs < WATCHED_MS);
      sights.push(this.sight(network));
    }
    return sights;
  }

  private async step(network: NetworkName): Promise<string> {
    const term = this.terms.get(network) ?? (await presentTerm(this.stage.dataSource, network));
    this.terms.set(network, term);
    return this.watchers[network].step(term);
  }

  /** Whether the time that passes is time in which it is seen that nothing happens. */
  sees(network: NetworkName): boolean {
    return (
      this.networks.includes(network) &&
      !this.blind.has(network) &&
      (network === 'ethereum' || this.bitcoin.isMempoolLoaded)
    );
  }

  async act(command: Command): Promise<void> {
    const { nowMs } = this.stage.clock;
    for (const network of stirredBy(command)) this.stirred.add(network);
    switch (command.do) {
      case 'send':
        return this.send(command);
      case 'send-own':
        return this.sendOwn(command.nth, command.percent, command.to);
      case 'mine':
        for (let i = 0; i < command.blocks; i += 1)
          this.mine(i === 0 ? command.what : 'nothing', command.headerS);
        return;
      case 'fork': {
        const depth = Math.min(command.depth, this.bitcoin.height - 2);
        if (depth < 1) return;
        this.bitcoin.disconnect(depth);
        for (let i = 0; i <= depth; i += 1) this.mine(i === 0 ? command.what : 'nothing', command.headerS);
        return;
      }
      case 'forget':
        return this.bitcoin.forget([...this.bitcoin.pool.keys()][command.nth] ?? '');
      case 'resend': {
        const transaction = [...this.coinTransactions.values()][command.nth];
        if (transaction && !this.hidden.includes(transaction)) this.bitcoin.broadcast(transaction);
        return;
      }
      case 'pool':
        this.bitcoin.isMempoolLoaded = command.loaded;
        return this.noteCoinSight();
      case 'pay':
        return this.pay(command);
      case 'pay-inside':
        return this.payInside(command);
      case 'reconcile':
        return this.reconcile(command.network);
      case 'blocks':
        for (let i = 0; i < command.count; i += 1) this.evm.mine([], nowMs);
        return;
      case 'fork-evm':
        return this.forkEvm(command.depth, command.keep);
      case 'back':
        return this.bringBack();
      case 'blind':
        this.blind.add(command.network);
        return this.noteCoinSight();
      case 'see':
        this.blind.delete(command.network);
        return this.noteCoinSight();
      case 'restart':
        this.watchers = this.newWatchers();
        return;
      case 'old-version':
        this.isOld = command.on;
        if (!command.on) this.unseenByOld.clear();
        this.watchers = this.newWatchers();
        return;
      case 'stall':
        return this.stall(command.network, command.afterCalls);
      case 'wake':
        return this.wake();
      default:
    }
  }

  /** Its chain was changed by somebody else than a command. */
  stir(network: NetworkName): void {
    this.stirred.add(network);
  }

  /** Blocks in which nobody we know is. */
  goOn(): void {
    this.mine('nothing', 0);
    this.mineEvm([]);
    for (const network of this.networks) this.stirred.add(network);
  }

  /** At the end: whoever stood still goes on, and everybody sees. */
  async settleDown(): Promise<void> {
    await this.wake();
    for (const network of this.networks) this.stirred.add(network);
    this.blind.clear();
    this.bitcoin.isMempoolLoaded = true;
    this.noteCoinSight();
    await this.act({ do: 'old-version', on: false });
  }

  private noteCoinSight(): void {
    const { nowMs } = this.stage.clock;
    const last = this.coinBlindness.at(-1);
    const isBlind = this.blind.has('bitcoin') || !this.bitcoin.isMempoolLoaded;
    if (isBlind && last?.toMs !== Infinity) this.coinBlindness.push({ fromMs: nowMs, toMs: Infinity });
    if (!isBlind && last?.toMs === Infinity) last.toMs = nowMs;
  }

  /** Nobody could see all of Bitcoin at a moment, and that had begun before another. */
  wasBlindForCoins(atMs: number, beforeMs: number): boolean {
    return this.coinBlindness.some(
      ({ fromMs, toMs }) => fromMs <= beforeMs && fromMs <= atMs && atMs <= toMs,
    );
  }

  private place(to: Target, asset: string): Place | undefined {
    const places = to === 'quote' ? this.places : this.siblingPlaces;
    return places.find((place) => place.asset === asset);
  }

  private send({ coins, percents, to, hidden }: Extract<Command, { do: 'send' }>): void {
    const place = this.place(to, 'BTC');
    const [quoted] = this.places;
    if (to === 'elsewhere' ? !quoted : !place) return;
    const atoms = place?.atoms ?? quoted!.atoms;
    const pays = percents.map((percent) => ({
      address: place?.address ?? COIN_ELSEWHERE,
      atoms: (atoms * BigInt(percent)) / 100n,
    }));
    this.create(
      coins.map((coin) => `coin${coin}:0`),
      pays,
      hidden ?? false,
    );
  }

  private sendOwn(nth: number, percent: number, to: Target): void {
    const ours = new Set([...this.places, ...this.siblingPlaces].map(({ address }) => address));
    const outpoints = [...this.coinTransactions.values()].flatMap(({ txid, pays }) =>
      pays.flatMap(({ address }, index) => (ours.has(address) ? [`${txid}:${index}`] : [])),
    );
    const outpoint = outpoints[nth];
    const place = this.place(to, 'BTC');
    const address = to === 'elsewhere' ? COIN_ELSEWHERE : place?.address;
    if (!outpoint || !address) return;
    const atoms = ((place ?? this.places[0])!.atoms * BigInt(percent)) / 100n;
    this.create([outpoint], [{ address, atoms }], false);
  }

  private create(spends: string[], pays: CoinPayment[], hidden: boolean): void {
    const txid = hashOf(`tx ${this.coinTransactions.size}`);
    const transaction = { txid, spends, pays, inputKeys: spends.map((outpoint) => this.keyOf(outpoint)) };
    this.coinTransactions.set(txid, transaction);
    if (hidden) this.hidden.push(transaction);
    else if (this.bitcoin.broadcast(transaction)) this.sentMs.set(txid, this.stage.clock.nowMs);
  }

  /** Whose signature moves it. */
  private keyOf(outpoint: string): string {
    const [txid, index] = outpoint.split(':');
    const address = this.coinTransactions.get(txid!)?.pays[Number(index)]?.address;
    const place = [...this.places, ...this.siblingPlaces].find((candidate) => candidate.address === address);
    return place?.key ?? `02${hashOf(`buyer ${outpoint}`)}`;
  }

  private mine(what: Mined, headerS: number): void {
    const { nowMs } = this.stage.clock;
    const taken = {
      pool: () => [...this.bitcoin.pool.values()],
      nothing: () => [],
      hidden: () => [...this.hidden],
      first: () => [...this.coinTransactions.values()].filter((tx) => !this.hidden.includes(tx)),
    }[what]();
    this.bitcoin.mine(taken, nowMs + headerS * 1_000);
    for (const { txid } of this.bitcoin.chain.at(-1)!.transactions) {
      if (!this.sentMs.has(txid)) this.sentMs.set(txid, nowMs);
    }
  }

  private evmCount = 0;
  /** The leader is of a version that does not list USDT. */
  private isOld = false;
  private readonly unseenByOld = new Set<string>();

  private mineEvm(transactions: readonly EvmPayment[]): void {
    this.evm.mine(transactions, this.stage.clock.nowMs);
    if (!this.isOld) return;
    for (const { txid, to } of transactions) if (to === TOKENS.USDT) this.unseenByOld.add(txid);
  }

  private pay({ asset, percents, to, from, fails }: Extract<Command, { do: 'pay' }>): void {
    const places = to === 'sibling' ? this.siblingPlaces : this.places;
    const quote = places.find((place) => place.asset === (asset === 'USDT' ? 'USDC' : asset));
    const other = places.find(({ asset: of }) => of !== asset && of !== 'BTC');
    const place = to === 'other-quote' ? other : quote;
    const own = this.siblingPlaces.find(({ asset: of }) => of !== 'BTC')?.address;
    const sender = from === 'own' ? own : BUYER;
    if (!place || !sender) return;
    const amounts = percents.map((percent) => (place.atoms * BigInt(percent)) / 100n);
    const spent = asset === 'ETH' ? amounts.reduce((sum, atoms) => sum + atoms, 0n) : 0n;
    if (sender === own && this.evm.balanceOf(own) < spent) return;
    const nonce = this.evm.nonceOf(sender);
    const common = { sender, succeeded: !(fails ?? false) };
    const txid = () => `0x${hashOf(`evm tx ${(this.evmCount += 1)}`)}`;
    const transactions: EvmPayment[] =
      asset === 'ETH'
        ? amounts.map((valueAtoms, i) => ({
            ...common,
            txid: txid(),
            nonce: nonce + i,
            to: place.address,
            valueAtoms,
            logs: [],
          }))
        : [
            {
              ...common,
              txid: txid(),
              nonce,
              to: TOKENS[asset],
              valueAtoms: 0n,
              logs: amounts.map((atoms) => ({
                contract: TOKENS[asset],
                from: sender,
                to: place.address,
                atoms,
              })),
            },
          ];
    this.mineEvm(transactions);
    for (const { txid: sent, nonce: used, valueAtoms, logs } of transactions) {
      const atoms = logs.reduce((sum, log) => sum + log.atoms, valueAtoms);
      this.nonceTransactions.set(sent, { use: `${sender}#${used}`, atoms });
      this.sentMs.set(sent, this.stage.clock.nowMs);
    }
  }

  private payInside({ percents, to, fails }: Extract<Command, { do: 'pay-inside' }>): void {
    const place = this.places.find(({ asset }) => asset === (to === 'quote' ? 'ETH' : 'USDC'));
    if (!place) return;
    const inside = percents.map((percent, path) => {
      // Of a token's quote as many of the coin's atoms: whatever it is, it is no price.
      return { path: `${path}`, to: place.address, atoms: (place.atoms * BigInt(percent)) / 100n };
    });
    const txid = `0x${hashOf(`evm tx ${(this.evmCount += 1)}`)}`;
    const call = { sender: BUYER, nonce: this.evm.nonceOf(BUYER), to: CONTRACT, logs: [] };
    const valueAtoms = inside.reduce((sum, { atoms }) => sum + atoms, 0n);
    this.mineEvm([{ ...call, txid, valueAtoms, inside, succeeded: !(fails ?? false) }]);
    this.nonceTransactions.set(txid, { use: `${BUYER}#${call.nonce}`, atoms: valueAtoms });
    this.sentMs.set(txid, this.stage.clock.nowMs);
  }

  /** By block and transaction: in another block it is looked for anew. */
  private readonly noticed = new Set<string>();

  /** From which block on the comparison finds the coin of an address that nobody watches any more. */
  private readonly leftAt = new Map<string, number>();

  /** Coin inside transactions shows only once somebody has compared balances. */
  private noticeInside(isSeen: (at: { address: string; ageMs: number; height: number }) => boolean): void {
    const places = new Map([...this.places, ...this.siblingPlaces].map((place) => [place.address, place]));
    for (const { hash, height, transactions } of this.evm.chain) {
      for (const { txid, succeeded, inside = [] } of transactions) {
        if (!succeeded || this.noticed.has(`${hash} ${txid}`)) continue;
        for (const { to: address, atoms } of inside) {
          const ageMs = this.stage.clock.nowMs - (places.get(address)?.issuedMs ?? 0);
          if (atoms > 0n && isSeen({ address, ageMs, height })) this.noticed.add(`${hash} ${txid}`);
        }
      }
    }
  }

  /** The comparison asks the node that the watcher asks. */
  private async reconcile(network: NetworkName): Promise<void> {
    if (!this.networks.includes(network) || this.blind.has(network)) return;
    const term = this.terms.get(network) ?? (await presentTerm(this.stage.dataSource, network));
    await compareWithChain(this.stage, term, network === 'ethereum' ? this.evm : this.bitcoin);
    if (network !== 'ethereum') return;
    const { height: tip, finalizedHeight } = this.evm;
    const left = new Map(this.leftAt);
    this.noticeInside(({ address, ageMs, height }) => {
      if (height > finalizedHeight || ageMs < WATCHED_MS) return false;
      if (ageMs >= LEFT_ALONE_MS || (left.get(address) ?? tip) < finalizedHeight) return true;
      if (!left.has(address)) this.leftAt.set(address, tip);
      return false;
    });
  }

  private forkEvm(wanted: number, keep: 'all' | 'none' | 'replaced'): void {
    const depth = Math.min(wanted, this.evm.height - Math.max(2, this.evm.finalizedHeight));
    if (depth < 1) return;
    const gone = this.evm.disconnect(depth);
    this.gone.push(...gone);
    const again: EvmPayment[] = { all: gone, none: [], replaced: gone.map((tx) => this.instead(tx)) }[keep];
    for (let i = 0; i <= depth; i += 1) this.mineEvm(i === 0 ? again : []);
  }

  /** Of what forks have taken away, in the order in which it was sent. */
  private readonly gone: EvmPayment[] = [];

  private bringBack(): void {
    const back: EvmPayment[] = [];
    for (const transaction of [...this.gone].sort((a, b) => a.nonce - b.nonce)) {
      const { sender, nonce } = transaction;
      // What its merchant moves needs to be there: left to the buyer's, of which there is enough.
      if (sender === BUYER && nonce === this.evm.nonceOf(BUYER) + back.length) back.push(transaction);
    }
    this.mineEvm(back);
  }

  private instead(transaction: EvmPayment): EvmPayment {
    const txid = `0x${hashOf(`evm tx ${(this.evmCount += 1)}`)}`;
    return { ...transaction, txid, to: ELSEWHERE, logs: [], inside: [] };
  }

  /** An old leader has asked some of its questions, and stands still with the answers while others go on. */
  private async stall(network: NetworkName, afterCalls: number): Promise<void> {
    await this.wake();
    // It asks the same node as everybody: one that answers nobody has no old leader either.
    if (this.blind.has(network)) return;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let reach = (): void => undefined;
    const reached = new Promise<void>((resolve) => (reach = resolve));
    let calls = 0;
    const seen = <T extends object>(node: T): T =>
      new Proxy(node, {
        get: (target, name) => {
          const member: unknown = Reflect.get(target, name, target);
          if (typeof member !== 'function') return member;
          return async (...values: unknown[]) => {
            const answer: unknown = await (member as (...v: unknown[]) => Promise<unknown>).apply(
              target,
              values,
            );
            calls += 1;
            if (calls === afterCalls) {
              reach();
              await released;
            }
            return answer;
          };
        },
      });
    const term = this.terms.get(network) ?? (await presentTerm(this.stage.dataSource, network));
    const done = this.watcher(network, seen)
      .step(term)
      .catch(() => undefined);
    await Promise.race([reached, done]);
    // Somebody else takes the network over.
    await this.stage.dataSource.query('UPDATE watch_lease SET term = term + 1 WHERE network = $1', [network]);
    this.terms.delete(network);
    this.stalled = { release, done };
  }

  /** @throws Error where the old leader, whose term is over, writes something all the same */
  private async wake(): Promise<void> {
    if (!this.stalled) return;
    const before = await this.written();
    this.stalled.release();
    await this.stalled.done;
    this.stalled = null;
    const after = await this.written();
    if (after !== before) throw new Error(`a leader whose term was over wrote\n${after}\nover\n${before}`);
  }

  /** Everything that watchers write, as one text. */
  private async written(): Promise<string> {
    const tables = WATCHED_TABLES.map(
      (table) => `(SELECT jsonb_agg(to_jsonb(t) ORDER BY t::text) FROM ${table} t)`,
    );
    const [row] = await this.stage.dataSource.query<[{ text: string }]>(
      `SELECT jsonb_build_array(${tables.join(', ')})::text AS text`,
    );
    return row.text;
  }

  private get addresses(): Set<string> {
    return new Set([...this.places, ...this.siblingPlaces].map(({ address }) => address));
  }

  sight(network: NetworkName): Sight {
    const { nowMs } = this.stage.clock;
    if (network === 'ethereum') {
      const { height, finalizedHeight } = this.evm;
      return { network, nowMs, height, finalizedHeight, poolRead: true, ...this.evmSightings() };
    }
    const { height, isMempoolLoaded: poolRead } = this.bitcoin;
    return { network, nowMs, height, finalizedHeight: -1, poolRead, ...this.coinSightings() };
  }

  private coinSightings(): Pick<Sight, 'sightings' | 'used' | 'claimed'> {
    const { addresses, bitcoin } = this;
    const of = (tx: CoinTransaction, height: number | null, blockMs: number | null): Sighting[] =>
      tx.pays.flatMap(({ address, atoms }, index) => {
        if (!addresses.has(address) || atoms === 0n) return [];
        const key = `${tx.txid}/out:${index}`;
        return [{ key, address, asset: 'BTC', atoms, uses: tx.spends, own: this.isOwn(tx), height, blockMs }];
      });
    const used = new Map<string, { txid: string; height: number }>();
    const mined = bitcoin.chain.flatMap(({ transactions, height, timeMs }) =>
      transactions.flatMap((tx) => {
        for (const outpoint of tx.spends) used.set(outpoint, { txid: tx.txid, height });
        return of(tx, height, timeMs);
      }),
    );
    const waiting = bitcoin.isMempoolLoaded ? [...bitcoin.pool.values()] : [];
    const claimed = new Map(
      waiting.flatMap(({ txid, spends }) => spends.map((outpoint) => [outpoint, txid])),
    );
    return { sightings: [...mined, ...waiting.flatMap((tx) => of(tx, null, null))], used, claimed };
  }

  isOwn({ spends }: CoinTransaction): boolean {
    return spends.some((outpoint) => {
      const [txid, index] = outpoint.split(':');
      const paid = this.coinTransactions.get(txid!)?.pays[Number(index)];
      return paid !== undefined && this.addresses.has(paid.address);
    });
  }

  private evmSightings(): Pick<Sight, 'sightings' | 'used' | 'claimed'> {
    const { addresses } = this;
    const used = new Map<string, { txid: string; height: number }>();
    const sightings = this.evm.chain.flatMap(({ hash, transactions, height, timeMs: blockMs }) =>
      transactions.flatMap((tx): Sighting[] => {
        const use = `${tx.sender}#${tx.nonce}`;
        used.set(use, { txid: tx.txid, height });
        if (!tx.succeeded || this.unseenByOld.has(tx.txid)) return [];
        const own = addresses.has(tx.sender);
        const common = { uses: [use], own, height, blockMs };
        const native = addresses.has(tx.to) && tx.valueAtoms > 0n && tx.sender !== tx.to;
        const coin = native
          ? [{ ...common, key: `${tx.txid}/native`, address: tx.to, asset: 'ETH', atoms: tx.valueAtoms }]
          : [];
        const tokens = tx.logs.flatMap(({ contract, to, atoms }, index) => {
          const asset = contract === TOKENS.USDC ? 'USDC' : 'USDT';
          if (!addresses.has(to) || atoms === 0n) return [];
          return [{ ...common, key: `${tx.txid}/log:${index}`, address: to, asset, atoms }];
        });
        const inside = (tx.inside ?? []).flatMap(({ path, to, atoms }) => {
          if (!addresses.has(to) || atoms === 0n || !this.noticed.has(`${hash} ${tx.txid}`)) return [];
          return [{ ...common, key: `${tx.txid}/call:${path}`, address: to, asset: 'ETH', atoms }];
        });
        return [...coin, ...tokens, ...inside];
      }),
    );
    return { sightings, used, claimed: new Map() };
  }
}
