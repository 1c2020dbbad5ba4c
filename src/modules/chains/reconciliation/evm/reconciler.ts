import type { NetworkConfig } from '../../../../config/config.types.js';
import type { Term } from '../../data/fenced.statement.js';
import type { LedgerRepository } from '../../data/ledger.repository.js';
import { evmAssets } from '../../evm/coin/credits.js';
import type { EvmNode } from '../../evm/node/evm-node.types.js';
import { LogsRefused } from '../../node.errors.js';
import { mustBeItsChain } from '../../watching/identity.js';
import { agreedBlockOf } from '../agreed-block.js';
import type { IssuedRow, ReconciliationRepository } from '../data/reconciliation.repository.js';
import { type Findings, joinedFindings, merged } from '../differences.js';
import type { Pace } from '../pace.js';
import type {
  AgreedBlock,
  Difference,
  Found,
  Incomparable,
  JudgedBalances,
  Part,
  Position,
  Reconciler,
} from '../reconciliation.types.js';
import type { AgreedBalances } from './agreed-balances.js';
import { BlockTimes } from './block-times.js';
import { EvmCoin } from './coin.js';
import { EvmCollections } from './collections.js';
import { ExcessTracer } from './excess-tracer.js';
import { EvmExplainer } from './explainer.js';
import { EvmHistory } from './history.js';
import { type Refusals, TRIES_FOR_GOOD } from './refusals.js';
import { type Batch, type ByLogs, EvmTokens, stillUnrecorded } from './tokens.js';
import { EvmUnissued } from './unissued.js';

/** Issued so lately, an address is compared more often than the others. */
const RECENT_HOURS = 48;
/** How large a part of a round may become. */
export interface PartLimits {
  readonly blocksAtOnce: number;
  /** Of what earlier parts of a batch found, for the later ones. */
  readonly mostFound: number;
}

/** At two thousand blocks a request and two requests a second, a minute; and a position that a row may hold. */
const PART_LIMITS: PartLimits = { blocksAtOnce: 250_000, mostFound: 1_000 };
const NOTHING_EARLIER: ByLogs = { arrived: [], paid: [] };
/** Where an earlier part of a batch ended, and what its parts found. */
interface GoOn {
  readonly from: number;
  /** `null` where it was more than is kept. */
  readonly earlier: ByLogs | null;
}

interface Compared extends Part {
  readonly to: number;
  /** By all parts so far; `null` where that is more than is kept. */
  readonly found: ByLogs | null;
}

/** A round over all issued addresses, the oldest first, and the newest ones in between. */
export class EvmReconciler implements Reconciler {
  private readonly tokens: EvmTokens;
  private readonly coin: EvmCoin;
  private readonly collections: EvmCollections;
  private readonly unissued: EvmUnissued;
  private readonly times: BlockTimes;
  private readonly explainer: EvmExplainer;

  constructor(
    private readonly network: NetworkConfig,
    private readonly history: EvmHistory,
    /** Both nodes where there are two: what is written rests on these. */
    { node, balances }: { readonly node: EvmNode; readonly balances: AgreedBalances },
    private readonly pace: Pace,
    private readonly ledger: LedgerRepository,
    private readonly repository: ReconciliationRepository,
    private readonly batchSize: number,
    private readonly refusals: Refusals,
    private readonly limits = PART_LIMITS,
  ) {
    const assets = evmAssets(network.assets);
    this.times = new BlockTimes(history);
    this.tokens = new EvmTokens(network.id, assets, history);
    this.coin = new EvmCoin(network, assets, history, ledger, repository, refusals);
    this.collections = new EvmCollections(network.id, assets, history);
    this.unissued = new EvmUnissued(network, assets, history, repository, refusals);
    const tracer = new ExcessTracer(network, history, balances, node, ledger, repository);
    this.explainer = new EvmExplainer(network, tracer, node, ledger, repository, refusals);
  }

  get requests(): number {
    return this.pace.requests;
  }

  /** The last block that is final and behind the watcher; `null` while there is none. */
  async agreedBlock(): Promise<AgreedBlock | null> {
    const tip = await this.repository.tip(this.network.id);
    const height = tip && Math.min(tip.height, tip.finalizedHeight);
    if (height === null || height < 0) return null;
    mustBeItsChain(this.network, await this.history.identity(), await this.ledger.cursor(this.network.id));
    return agreedBlockOf(this.ledger, this.network.id, height, await this.history.block(height), true);
  }

  async part(at: AgreedBlock, position: Position, signal?: AbortSignal): Promise<Part> {
    if (position && 'key' in position) return this.unissued.part(at, String(position['key']), signal);
    const after = position?.['at']
      ? { at: String(position['at']), address: String(position['address']) }
      : null;
    const issued = await this.repository.addresses(this.network.family, after, this.batchSize);
    const last = issued.at(-1);
    if (!last) return this.unissued.part(at, '', signal);
    const { found, ...part } = await this.batch(at, issued, goOnAt(position), signal);
    if (part.to < at.height) {
      const next = { at: after?.at ?? '', address: after?.address ?? '', height: part.to + 1 };
      return { ...part, next: { ...next, ...foundSoFar(found) } };
    }
    return { ...part, compared: issued.length, next: { at: last.at, address: last.address } };
  }

  async *recent(at: AgreedBlock, signal?: AbortSignal): AsyncGenerator<Part> {
    let after: IssuedRow | null = null;
    for (;;) {
      const { family } = this.network;
      const issued: IssuedRow[] = await this.repository.addresses(
        family,
        after,
        this.batchSize,
        RECENT_HOURS,
      );
      after = issued.at(-1) ?? null;
      if (!after) return;
      for (let goOn: GoOn | null = null; ;) {
        const { found, ...part }: Compared = await this.batch(at, issued, goOn, signal);
        yield part;
        if (part.to >= at.height) break;
        goOn = { from: part.to + 1, earlier: found };
      }
    }
  }

  explain(at: AgreedBlock, differences: readonly Difference[], term: Term): Promise<Found> {
    return this.explainer.explain(at, differences, term);
  }

  /** @param goOn where an earlier part ended; `null` begins with the first block that can pay one of them */
  private async batch(
    at: AgreedBlock,
    issued: readonly IssuedRow[],
    goOn: GoOn | null,
    signal?: AbortSignal,
  ): Promise<Compared> {
    const addresses = issued.map(({ address }) => address);
    const { id, family } = this.network;
    const sinceMs = Math.min(...issued.map(({ issuedAtMs }) => issuedAtMs));
    await this.times.upTo(at, signal);
    const timeOf = (height: number) => this.times.of(height, signal);
    const first = () => this.times.firstAt(at.height, sinceMs, signal);
    const from = goOn?.from ?? (await first());
    // Where a node has forgotten the block before, it is where its blocks begin, and money may have come earlier.
    const isForgotten = goOn === null && from > 0 && (await timeOf(from - 1)) === null;
    const recorded = await this.repository.recorded(id, family, addresses);
    const paidOut = await this.repository.paidOut(id, family, addresses);
    const batch = { addresses, recorded, paidOut };
    const lowest = goOn === null && !isForgotten ? 0 : from;
    const earlier = goOn ? goOn.earlier : NOTHING_EARLIER;
    const before = stillUnrecorded(earlier ?? NOTHING_EARLIER, batch);
    const most = Math.min(at.height, from + this.limits.blocksAtOnce - 1);
    const { to, ...told } = await this.upTo(most, at, { lowest, from }, batch, before, signal);
    const firstTold = told.first ?? (isForgotten ? from : null);
    const found = {
      arrived: [...before.arrived, ...told.arrived],
      paid: [...before.paid, ...told.paid],
    };
    const isWhole = earlier !== null && told.first === null;
    const isLast = to >= at.height;
    const balances = async () => this.byBalances(at, await first(), batch, isWhole ? found : null, signal);
    const about = `${id} held by ${addresses[0]}`;
    const held = isLast ? await this.refusals.over(about, (told) => told(balances), TRIES_FOR_GOOD) : null;
    const untold: Incomparable = {
      ...(firstTold === null ? {} : { 'logs that the node does not tell': addresses.length }),
      ...(isLast && !held ? { 'balances that the node refuses': addresses.length } : {}),
    };
    const isKept = isWhole && found.arrived.length + found.paid.length <= this.limits.mostFound;
    return {
      compared: 0,
      incomparable: { ...untold, ...held?.incomparable },
      next: null,
      to,
      found: isKept ? found : null,
      differences: merged([...told.arrived, ...told.paid, ...(held?.differences ?? [])]),
      covered: {
        addresses,
        // Of a node that may not tell of all of them nothing is over.
        heights: { from: firstTold === null ? lowest : to + 1, to },
        balances: held?.judged ?? null,
      },
    };
  }

  /** What logs tell of blocks up to `to`, or up to one that is refused: what is told before it is kept. */
  private async upTo(
    to: number,
    at: AgreedBlock,
    span: { readonly lowest: number; readonly from: number },
    batch: Batch,
    before: ByLogs,
    signal?: AbortSignal,
  ): Promise<ByLogs & { readonly first: number | null; readonly to: number }> {
    try {
      return { ...(await this.byLogs(at, { ...span, to }, batch, before, signal)), to };
    } catch (error) {
      if (!(error instanceof LogsRefused) || error.height <= span.from) throw error;
      return this.upTo(error.height - 1, at, span, batch, before, signal);
    }
  }

  /**
   * What logs tell, of the blocks of which the node has all that were asked for.
   * @param span `lowest`: heights from it on whose recorded movements are compared; `from`: logs are asked for from it on
   * @returns with the first of these blocks, where that is not the first that was asked for
   */
  private async byLogs(
    at: AgreedBlock,
    { lowest, from, to }: { readonly lowest: number; readonly from: number; readonly to: number },
    batch: Batch,
    before: ByLogs,
    signal?: AbortSignal,
  ): Promise<ByLogs & { readonly first: number | null }> {
    const compared = { from: lowest, to };
    const { differences: arrived, first } = await this.tokens.byLogs(compared, from, batch, signal);
    const allArrived = [...before.arrived, ...arrived];
    const span = { compared, from };
    const paid = await this.collections.compare(at, span, batch, allArrived, signal);
    const firsts = [first, paid.first].filter((one) => one !== null);
    return { arrived, paid: paid.differences, first: firsts.length > 0 ? Math.max(...firsts) : null };
  }

  /**
   * @param found what logs told of all blocks; `null` where not all of it is known, and a balance of tokens says nothing
   * @returns with whose balances were judged
   */
  private async byBalances(
    at: AgreedBlock,
    first: number,
    batch: Batch,
    found: ByLogs | null,
    signal?: AbortSignal,
  ): Promise<Findings & { readonly judged: JudgedBalances | null }> {
    const { coin: asset } = evmAssets(this.network.assets);
    if (found) {
      const tokens = await this.tokens.byBalances(at, batch, found, signal);
      const coin = await this.coin.compare(at, first, batch, found.paid, signal);
      const isJudged = coin.isWhole && (tokens.isWhole || asset !== null);
      const judged = { addresses: batch.addresses, asset: tokens.isWhole ? null : asset };
      return { ...joinedFindings([tokens, coin]), judged: isJudged ? judged : null };
    }
    // Coin of an address with a key needs no log.
    const addresses = batch.addresses.filter((address) => !batch.paidOut.forwarders.has(address));
    const coin = await this.coin.compare(at, first, { ...batch, addresses }, [], signal);
    const unknown = { 'balances of which not all logs are known': batch.addresses.length };
    return {
      ...joinedFindings([coin, { differences: [], incomparable: unknown }]),
      judged: asset !== null && coin.isWhole ? { addresses, asset } : null,
    };
  }
}

/** Of a batch that is under way; whoever goes on with it knows what its earlier parts found. */
function goOnAt(position: Position): GoOn | null {
  if (position?.['height'] === undefined) return null;
  const found = position['found'];
  if (found === undefined) return { from: Number(position['height']), earlier: NOTHING_EARLIER };
  const earlier = JSON.parse(String(found), toAtoms) as ByLogs | null;
  return { from: Number(position['height']), earlier };
}

/** Nothing at all, nearly always. */
function foundSoFar(found: ByLogs | null): { readonly found?: string } {
  if (found?.arrived.length === 0 && found.paid.length === 0) return {};
  const text = JSON.stringify(found, (_name, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return { found: text };
}

function toAtoms(name: string, value: unknown): unknown {
  return name.endsWith('Atoms') ? BigInt(String(value)) : value;
}
