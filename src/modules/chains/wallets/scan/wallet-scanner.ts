import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG, type Config, type Family, type NetworkConfig } from '../../../../config/config.types.js';
import { valueAt } from '../../../../kernel/lookups.js';
import { within } from '../../../../platform/deadline.js';
import { untilAborted } from '../../../../platform/deadline.js';
import { LedgerRepository } from '../../data/ledger.repository.js';
import { isAnswered, scanSentences } from '../../domain/wallet-scan.js';
import type { NetworkLook, ScanLimits, UsedIndex, WalletScan } from '../../wallet-scan.types.js';
import { describeFailure, publicReason } from '../../watching/node-failure.js';
import { DerivedIndexes } from './derived-indexes.js';
import type { Usage } from './usage.js';
import { usageOn } from './usages.js';

/** Somebody's request waits for it. */
export const WHILE_SETTING: ScanLimits = { gap: 100, indexes: 2_000, timeoutMs: 8_000 };

interface Asked {
  readonly network: NetworkConfig;
  readonly usage: Usage;
  readonly untold: Set<string>;
  reason: string | null;
}

/**
 * Searches for the indexes of a key that were used before, by whomever, on all networks of its family: an address that
 * others may know must never be given to a buyer. A node that does not answer holds up neither the others nor the caller.
 */
@Injectable()
export class WalletScanner {
  private readonly logger = new Logger(WalletScanner.name);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly ledger: LedgerRepository,
  ) {}

  /** What a search found, and what it could not learn: a sentence each. */
  told(scan: WalletScan): { isAnswered: boolean; sentences: string[] } {
    const nameOf = (id: string) => this.config.networks.find((network) => network.id === id)?.name ?? id;
    return { isAnswered: isAnswered(scan), sentences: scanSentences(scan, nameOf) };
  }

  /**
   * @param key `known`: the end is looked for behind this index at least; `on`: these networks alone
   * @param issued indexes that are not looked at, because they are ours
   * @param stop ends it early: what has not answered by then counts as silent
   */
  async scan(
    key: {
      readonly family: Family;
      readonly xpub: string;
      readonly from: number;
      readonly known?: number;
      readonly on?: readonly string[];
    },
    limits: ScanLimits,
    issued: ReadonlySet<number> = new Set(),
    stop: AbortSignal = new AbortController().signal,
  ): Promise<WalletScan> {
    const { family, xpub, from, known = from, on } = key;
    const networks = this.config.networks.filter(
      (network) => network.family === family && (on?.includes(network.id) ?? true),
    );
    const untilMs = performance.now() + limits.timeoutMs;
    const asked: Asked[] = networks.map((network) => ({
      network,
      usage: this.usageOn(network),
      untold: new Set(),
      reason: null,
    }));
    const used: UsedIndex[] = [];
    const end = from + limits.indexes;
    let [to, last] = [from, known - 1];
    while (to < Math.min(last + 1 + limits.gap, end) && asked.some(({ reason }) => reason === null)) {
      const next = Math.min(last + 1 + limits.gap, end);
      const derived = new DerivedIndexes(xpub, to, next, issued);
      const looks = await within(shareOf(untilMs, networks.length), stop, (signal) =>
        Promise.all(asked.map((one) => this.look(one, derived, signal))),
      );
      const found = looks.flat();
      used.push(...found);
      last = Math.max(last, ...found.map(({ index }) => index));
      to = next;
    }
    used.sort((a, b) => a.index - b.index);
    return {
      from,
      to,
      used,
      networks: asked.map(toLook),
      isCutShort: to >= end && to < last + 1 + limits.gap,
    };
  }

  private usageOn(network: NetworkConfig): Usage {
    return usageOn(network, () => this.ledger.cursor(network.id));
  }

  private async look(asked: Asked, derived: DerivedIndexes, signal: AbortSignal): Promise<UsedIndex[]> {
    const { network, usage } = asked;
    if (asked.reason !== null) return [];
    try {
      const byAddress = await derived.on(network);
      const { used, untold } = await untilAborted(usage.of([...byAddress.keys()], signal), signal);
      for (const what of untold) asked.untold.add(what);
      return [...used].map(([watched, holdings]) => ({
        ...valueAt(byAddress, watched),
        network: network.id,
        holdings,
      }));
    } catch (error) {
      asked.reason = signal.aborted ? 'no answer in time' : publicReason(error);
      const failure = describeFailure(error, network.rpcUrl, network.secondRpcUrl);
      this.logger.warn(`${network.id} could not be searched for used addresses: ${failure}`);
      return [];
    }
  }
}

/** Where there are others, one that does not answer leaves them the second half of the time. */
function shareOf(untilMs: number, networks: number): number {
  const leftMs = Math.max(untilMs - performance.now(), 0);
  return networks > 1 ? leftMs / 2 : leftMs;
}

function toLook({ network, reason, untold }: Asked): NetworkLook {
  return { network: network.id, reason, untold: [...untold] };
}
