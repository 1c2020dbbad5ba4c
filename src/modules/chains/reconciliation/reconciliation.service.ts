import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  CONFIG,
  type Config,
  type NetworkConfig,
  type ReconciliationConfig,
} from '../../../config/config.types.js';
import { exponentialWaitMs } from '../../../kernel/backoff.js';
import { only } from '../../../kernel/lookups.js';
import { Jobs } from '../../../platform/jobs/jobs.js';
import { LeaseLost, type Term } from '../data/fenced.statement.js';
import { LedgerRepository } from '../data/ledger.repository.js';
import { WatchLeaseRepository } from '../data/watch-lease.repository.js';
import { describeFailure } from '../watching/node-failure.js';
import { ReconciliationRepository } from './data/reconciliation.repository.js';
import { Refusals } from './evm/refusals.js';
import { reconcilerOf } from './reconcilers.js';
import type {
  AgreedBlock,
  ChainVerdict,
  Difference,
  Part,
  Position,
  Reconciler,
  ReconciliationStanding,
} from './reconciliation.types.js';

const TURN_EVERY_MS = 15_000;
/** A part of a round is done within this; whoever takes longer does it again, which changes nothing. */
const LEASE_S = 900;
const RECENT_EVERY_S = 600;
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 1_800_000;
const OVERDUE_MS = 2 * 86_400_000;
/** As many as a person looks at. */
const MOST_SHOWN = 100;
/** A check that an operator waits for does not keep to the pace of the background. */
const CHECK_PER_SECOND = 20;

interface Turn {
  readonly network: NetworkConfig;
  readonly reconciler: Reconciler;
  failures: number;
  notBeforeMs: number;
}

/**
 * Compares what every issued address received and holds with what is recorded (ADR 34): as a job in small parts, and
 * as a whole for `check --chain`. Only the job writes.
 */
@Injectable()
export class ReconciliationService {
  private readonly logger = new Logger(ReconciliationService.name);
  /** Of this process: keeps its lease over many parts. */
  private readonly term = randomUUID();
  private readonly limits: ReconciliationConfig;
  private readonly refusals = new Refusals();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    jobs: Jobs,
    private readonly ledger: LedgerRepository,
    private readonly repository: ReconciliationRepository,
    private readonly lease: WatchLeaseRepository,
  ) {
    this.limits = config.reconciliation;
    if (this.limits.requestsPerSecond === 0) return;
    for (const network of config.networks) {
      const turn = { network, reconciler: this.reconciler(network), failures: 0, notBeforeMs: 0 };
      jobs.define({
        name: `reconcile:${network.id}`,
        everyMs: TURN_EVERY_MS,
        run: (signal) => this.turn(turn, signal),
      });
    }
  }

  /** The newest addresses, and then the next part of the round, where either is due. @returns whether more is */
  async step(term: Term, signal?: AbortSignal): Promise<boolean> {
    const network = only(this.config.networks.filter(({ id }) => id === term.network));
    return this.advance(term, network, this.reconciler(network), signal);
  }

  /** All addresses at one block, read only. @param leastPerSecond so many requests at least, and as many as the background may ask */
  async check(networkId?: string, leastPerSecond = CHECK_PER_SECOND): Promise<ChainVerdict[]> {
    const networks = this.config.networks.filter(({ id }) => networkId === undefined || id === networkId);
    const requestsPerSecond = Math.max(leastPerSecond, this.limits.requestsPerSecond);
    return Promise.all(networks.map((network) => this.checkOne(network, requestsPerSecond)));
  }

  differences(network: string, most = MOST_SHOWN): Promise<Difference[]> {
    return this.repository.differences(network, most);
  }

  /**
   * Networks of which no round has ended since that time, two days after the next one was due. Where none ever has, since
   * the network is watched: a process that began anew knows nothing of those before it.
   */
  async overdue(): Promise<ReadonlyMap<string, Date>> {
    const { requestsPerSecond, roundEveryHours } = this.limits;
    if (requestsPerSecond === 0) return new Map();
    const before = new Date(Date.now() - roundEveryHours * 3_600_000 - OVERDUE_MS);
    const ended = await this.repository.comparedUntil(this.config.networks.map(({ id }) => id));
    return new Map([...ended].filter(([, at]) => at < before));
  }

  standings(): Promise<ReconciliationStanding[]> {
    return this.repository.standings();
  }

  private reconciler(network: NetworkConfig, limits = this.limits, refusals = this.refusals): Reconciler {
    return reconcilerOf(network, limits, this.ledger, this.repository, refusals);
  }

  private async turn(turn: Turn, signal: AbortSignal): Promise<boolean> {
    if (performance.now() < turn.notBeforeMs) return false;
    const { network, reconciler } = turn;
    // Who watches also compares: nobody else may write.
    const term = this.lease.termOf(network.id);
    if (!term) return false;
    try {
      const more = await this.advance(term, network, reconciler, signal);
      turn.failures = 0;
      return more;
    } catch (error) {
      if (signal.aborted) return false;
      if (turn.failures === 0) {
        const reason = describeFailure(error, network.rpcUrl, network.secondRpcUrl);
        this.logger.warn(`${network.id} cannot be compared with its chain at the moment: ${reason}`);
      }
      turn.notBeforeMs = performance.now() + exponentialWaitMs(turn.failures, FIRST_WAIT_MS, LONGEST_WAIT_MS);
      turn.failures += 1;
      return false;
    }
  }

  private async advance(
    term: Term,
    network: NetworkConfig,
    reconciler: Reconciler,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const roundEveryS = this.limits.roundEveryHours * 3_600;
    const periods = { leaseS: LEASE_S, recentEveryS: RECENT_EVERY_S, roundEveryS };
    const claim = await this.repository.claim(network.id, this.term, periods);
    if (!claim || (!claim.isRecentDue && !claim.isRoundDue)) return false;
    const at = await reconciler.agreedBlock();
    if (!at || !(await this.repository.comparing(network.id, this.term, at))) return false;
    if (claim.isRecentDue) {
      if (!(await this.recent(term, network, reconciler, at, signal))) return true;
      await this.repository.recentDone(network.id, this.term);
    }
    if (!claim.isRoundDue) return false;
    const before = reconciler.requests;
    const { position, comparedTo } = claim;
    const start = comparedTo === null ? null : { after: comparedTo };
    const part = await reconciler.part(at, position ?? start, signal);
    if (!(await this.record(term, network, reconciler, at, part))) return true;
    const requests = reconciler.requests - before;
    await this.repository.progress(network.id, this.term, part, {
      isFirst: !position,
      isWhole: comparedTo === null,
      requests,
    });
    return part.next !== null;
  }

  /**
   * What fails here is tried again after ten minutes, and holds up no round meanwhile.
   * @returns as `record`
   */
  private async recent(
    term: Term,
    network: NetworkConfig,
    reconciler: Reconciler,
    at: AgreedBlock,
    signal?: AbortSignal,
  ): Promise<boolean> {
    try {
      for await (const part of reconciler.recent(at, signal))
        if (!(await this.record(term, network, reconciler, at, part))) return false;
    } catch (error) {
      if (signal?.aborted || error instanceof LeaseLost) throw error;
      const reason = describeFailure(error, network.rpcUrl, network.secondRpcUrl);
      this.logger.warn(`${network.id}: its newest addresses cannot be compared at the moment: ${reason}`);
    }
    return true;
  }

  /**
   * The difference before its mending: what was found stays to be seen until the next look finds it gone.
   * @returns `false`, with nothing written, where the block that was compared has been given up since
   */
  private async record(
    term: Term,
    network: NetworkConfig,
    reconciler: Reconciler,
    at: AgreedBlock,
    part: Part,
  ): Promise<boolean> {
    if (!(await this.repository.settle(term, at, part))) return false;
    for (const { kind, key } of part.differences) {
      if (kind === 'unissued' && key) await this.repository.passIndex(term, key.id, key.index);
    }
    if (part.differences.length === 0) return true;
    const found = await reconciler.explain(at, part.differences, term);
    const coin = network.assets.find(({ contract }) => contract === null)?.symbol ?? null;
    const appended = await this.repository.append(term, network.family, coin, at, found);
    const recorded = appended + found.collections;
    this.logger.warn(
      `${network.id}: ${part.differences.length} differences from the chain; ${recorded} movements were recorded`,
    );
    if (found.failures.length > 0) {
      const reason = describeFailure(found.failures[0], network.rpcUrl, network.secondRpcUrl);
      this.logger.warn(`${network.id}: ${found.failures.length} differences stay unexplained: ${reason}`);
    }
    if (appended > 0) this.ledger.changed.next();
    return true;
  }

  private async checkOne(network: NetworkConfig, requestsPerSecond: number): Promise<ChainVerdict> {
    const reconciler = this.reconciler(network, { ...this.limits, requestsPerSecond }, new Refusals());
    const base = { network: network.id, compared: 0, incomparable: {}, differences: [] };
    try {
      const at = await reconciler.agreedBlock();
      if (!at) {
        const reason = 'nothing is final yet that the watcher has seen';
        return { ...base, verdict: 'unasked', reason, height: null, requests: reconciler.requests };
      }
      const parts: Part[] = [];
      for (let position: Position = null; ;) {
        const part = await reconciler.part(at, position);
        parts.push(part);
        position = part.next;
        if (!position) break;
      }
      const differences = parts.flatMap((part) => part.differences);
      return {
        network: network.id,
        height: at.height,
        reason: null,
        requests: reconciler.requests,
        verdict: differences.length === 0 ? 'clean' : 'different',
        compared: parts.reduce((sum, { compared }) => sum + compared, 0),
        incomparable: sumOf(parts),
        differences,
      };
    } catch (error) {
      const reason = describeFailure(error, network.rpcUrl, network.secondRpcUrl);
      return { ...base, verdict: 'unasked', reason, height: null, requests: reconciler.requests };
    }
  }
}

function sumOf(parts: readonly Part[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const [what, count] of parts.flatMap(({ incomparable }) => Object.entries(incomparable))) {
    sums[what] = (sums[what] ?? 0) + count;
  }
  return sums;
}
