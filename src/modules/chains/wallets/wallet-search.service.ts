import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG, type Config, type Family } from '../../../config/config.types.js';
import { exponentialWaitMs } from '../../../kernel/backoff.js';
import { type Job, Jobs } from '../../../platform/jobs/jobs.js';
import { firstUnused, stillUnsearched } from '../domain/wallet-scan.js';
import type { ScanLimits } from '../wallet-scan.types.js';
import { ExtendedKeysRepository, type UnsearchedKey } from './data/extended-keys.repository.js';
import { WalletScanner } from './scan/wallet-scanner.js';

const LOOK_EVERY_MS = 5_000;
const LONGEST_WAIT_MS = 120_000;
/** Nobody waits. A Bitcoin-like node looks through its unspent outputs for minutes, an EVM node answers or does not. */
const BEHIND: Readonly<Record<Family, ScanLimits>> = {
  evm: { gap: 100, indexes: 20_000, timeoutMs: 60_000 },
  bitcoin: { gap: 100, indexes: 20_000, timeoutMs: 900_000 },
  litecoin: { gap: 100, indexes: 20_000, timeoutMs: 900_000 },
};

interface Turn {
  readonly family: Family;
  failures: number;
  notBeforeMs: number;
}

/** Goes on with the searches for used indexes that a node did not answer when the key was set (ADR 36). */
@Injectable()
export class WalletSearchService {
  private readonly logger = new Logger(WalletSearchService.name);
  private readonly jobs = new Map<Family, Job>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    jobs: Jobs,
    private readonly extendedKeys: ExtendedKeysRepository,
    private readonly scanner: WalletScanner,
  ) {
    for (const family of new Set(config.networks.map((network) => network.family))) {
      const turn: Turn = { family, failures: 0, notBeforeMs: 0 };
      const run = (signal: AbortSignal) => this.turn(turn, signal);
      this.jobs.set(family, jobs.define({ name: `wallet-search:${family}`, everyMs: LOOK_EVERY_MS, run }));
    }
  }

  /** A key of this family was set that a node has yet to be asked about. */
  wake(family: Family): void {
    this.jobs.get(family)?.wake();
  }

  private async turn(turn: Turn, signal: AbortSignal): Promise<boolean> {
    if (performance.now() < turn.notBeforeMs) return false;
    const { hasSilent, hasMore } = await this.step(turn.family, signal);
    if (!hasSilent) turn.failures = 0;
    else {
      turn.notBeforeMs = performance.now() + exponentialWaitMs(turn.failures, LOOK_EVERY_MS, LONGEST_WAIT_MS);
      turn.failures += 1;
    }
    return hasMore && !hasSilent;
  }

  /** Every key of a family once. What has just not answered for one key is not asked for the next. */
  async step(family: Family, signal?: AbortSignal): Promise<{ hasSilent: boolean; hasMore: boolean }> {
    const networks = this.config.networks.filter((one) => one.family === family).map(({ id }) => id);
    const silent = new Set<string>();
    let hasMore = false;
    for (const key of await this.extendedKeys.unsearched(family, networks)) {
      const on = networks.filter((id) => key.unsearched.includes(id) && !silent.has(id));
      if (on.length === 0) continue;
      const { unanswered, unsearched } = await this.searchOne(key, on, networks, signal);
      if (signal?.aborted) break;
      for (const network of unanswered) silent.add(network);
      hasMore ||= unsearched.some((id) => networks.includes(id));
    }
    return { hasSilent: silent.size > 0, hasMore };
  }

  private async searchOne(
    { id, family, xpub, nextIndex: from }: UnsearchedKey,
    on: readonly string[],
    networks: readonly string[],
    signal?: AbortSignal,
  ): Promise<{ unanswered: readonly string[]; unsearched: readonly string[] }> {
    const scan = await this.scanner.scan({ family, xpub, from, on }, BEHIND[family], new Set(), signal);
    const unsearched = await this.extendedKeys.searched(id, {
      firstUnused: firstUnused(scan),
      unsearched: (before, next) => stillUnsearched(scan, before, networks, next),
    });
    const unanswered = scan.networks.filter(({ reason }) => reason !== null).map(({ network }) => network);
    if (unanswered.length < on.length)
      this.logger.log(`key ${id}: ${on.join(', ')} searched for used addresses from index ${from} on`);
    return { unanswered, unsearched };
  }
}
