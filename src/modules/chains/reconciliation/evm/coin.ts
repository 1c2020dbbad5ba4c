import type { NetworkConfig } from '../../../../config/config.types.js';
import { entryAt, paired } from '../../../../kernel/lookups.js';
import type { LedgerRepository } from '../../data/ledger.repository.js';
import type { EvmAssets } from '../../evm/coin/credits.js';
import { rpcError } from '../../watching/node-failure.js';
import type { Movement } from '../compare.js';
import { judgeBalance } from '../compare.js';
import type { ReconciliationRepository } from '../data/reconciliation.repository.js';
import {
  type BalanceFindings,
  differenceOn,
  type Findings,
  joinedFindings,
  NOTHING,
} from '../differences.js';
import type { AgreedBlock, Difference } from '../reconciliation.types.js';
import { sumsOf } from '../sums.js';
import type { EvmHistory } from './history.js';
import type { Refusals } from './refusals.js';
import { type Batch, type ByLogs, changeBy } from './tokens.js';

interface Balance {
  readonly address: string;
  readonly chainAtoms: bigint;
  readonly recordedAtoms: bigint;
}

/** What came, or below zero what was collected. */
type Moved = Omit<Movement, 'txid'>;

interface Known {
  readonly coins: readonly Moved[];
  /** Of these, what only the chain's logs tell. */
  readonly unrecorded: readonly Moved[];
}

/** Coin: by its balance, and where neither it nor anything recorded is there, by whether the address ever sent. */
export class EvmCoin {
  constructor(
    private readonly network: NetworkConfig,
    private readonly assets: EvmAssets,
    private readonly history: EvmHistory,
    private readonly ledger: LedgerRepository,
    private readonly repository: ReconciliationRepository,
    private readonly refusals: Refusals,
  ) {}

  /**
   * @param from the first block that can pay one of these addresses
   * @param paid what logs tell otherwise of what deposit addresses without keys paid out
   */
  async compare(
    at: AgreedBlock,
    from: number,
    { addresses, recorded, paidOut }: Batch,
    paid: ByLogs['paid'],
    signal?: AbortSignal,
  ): Promise<BalanceFindings> {
    const { coin: asset } = this.assets;
    if (asset === null) return { ...NOTHING, isWhole: true };
    const balances = await this.history.coinBalances(addresses, at, signal);
    if (!balances)
      return {
        differences: [],
        incomparable: { [`balances of ${asset}`]: addresses.length },
        isWhole: false,
      };
    const unrecorded = leftBy(paid, asset);
    const coins = [...recorded, ...paidOut.movements, ...unrecorded].filter(
      (movement) => movement.asset === asset,
    );
    const known = sumsOf(coins.filter(({ height }) => height <= at.height));
    const { forwarders } = paidOut;
    const all = paired(addresses, balances).map(([address, chainAtoms]) => {
      return { address, chainAtoms, recordedAtoms: known.get(`${address} ${asset}`) ?? 0n };
    });
    // Of an address without a key its logs tell all that ever left: there is nothing else to ask for.
    const empty = all.filter(
      ({ address, chainAtoms, recordedAtoms }) =>
        chainAtoms === 0n && recordedAtoms === 0n && !forwarders.has(address),
    );
    const paidOnes = await this.paid(at, asset, all, { coins, unrecorded }, forwarders, signal);
    const plain = empty.map(({ address }) => address);
    const { isWhole, ...swept } = await this.swept(at, from, asset, plain, signal);
    return { ...joinedFindings([paidOnes, swept]), isWhole };
  }

  /** Whatever is recorded or there: of an address with a key one question each, whether it has sent. */
  private async paid(
    at: AgreedBlock,
    asset: string,
    all: readonly Balance[],
    known: Known,
    forwarders: ReadonlySet<string>,
    signal?: AbortSignal,
  ): Promise<Findings> {
    const mayHaveSent = ({ address }: Balance) => !forwarders.has(address);
    const judged = all.filter(
      (one) => one.chainAtoms !== one.recordedAtoms || (one.recordedAtoms > 0n && mayHaveSent(one)),
    );
    if (judged.length === 0) return NOTHING;
    const excess = await this.standingExcess(judged, known, signal);
    const differences: Difference[] = [];
    let spent = 0;
    for (const one of judged) {
      const about = { ...one, asset, height: at.height };
      const isAsked = one.chainAtoms <= one.recordedAtoms && mayHaveSent(one);
      const sent = isAsked ? await this.history.sent(one.address, at, signal) : 0;
      const verdict = judgeBalance(one.chainAtoms, one.recordedAtoms, sent !== 0);
      if (verdict === 'spent') spent += 1;
      else if (verdict === 'missing') differences.push(differenceOn(this.network.id, 'missing', about));
      else if (verdict === 'unexplained' && (excess.get(one.address) ?? 0n) > 0n)
        differences.push(differenceOn(this.network.id, 'unexplained', about));
    }
    return {
      differences,
      incomparable: spent > 0 ? { [`${asset} of addresses that have sent`]: spent } : {},
    };
  }

  /** Whoever sends pays for it: where nothing lies and nothing is recorded, something came and went on unseen. */
  private async swept(
    at: AgreedBlock,
    from: number,
    asset: string,
    empty: readonly string[],
    signal?: AbortSignal,
  ): Promise<BalanceFindings> {
    const accounts = await this.history.accounts(empty, at, signal);
    if (!accounts) {
      const incomparable = { [`whether addresses have sent ${asset}`]: empty.length };
      return { differences: [], incomparable, isWhole: false };
    }
    const before = from > 0 ? await this.history.block(from - 1, signal) : null;
    const differences: Difference[] = [];
    let refused = 0;
    for (const [i, address] of empty.entries()) {
      if (accounts[i] !== 'plain') continue;
      const sent = await this.history.sent(address, at, signal);
      const sentBefore = before && (await this.sentBefore(address, before, signal));
      if (sentBefore === 'refused') refused += 1;
      // What it sent before it was issued was never ours.
      if (sentBefore === 'refused' || (sent !== null && sent === sentBefore)) continue;
      const about = { address, asset, chainAtoms: 0n, recordedAtoms: 0n, height: at.height };
      differences.push(differenceOn(this.network.id, 'swept', about));
    }
    const withCode = accounts.filter((account) => account === 'code').length;
    return {
      differences,
      isWhole: refused === 0,
      incomparable: {
        ...(withCode > 0 ? { [`${asset} of addresses with code`]: withCode } : {}),
        ...(refused > 0 ? { [`whether addresses had sent ${asset} before`]: refused } : {}),
      },
    };
  }

  /** One address' history that is refused is no reason to compare none of the others. */
  private async sentBefore(
    address: string,
    before: AgreedBlock,
    signal?: AbortSignal,
  ): Promise<number | null | 'refused'> {
    const about = `${this.network.id} ${address} before`;
    try {
      return await this.refusals.over(about, (told) =>
        told(() => this.history.sent(address, before, signal)),
      );
    } catch (error) {
      if (rpcError(error)) return 'refused';
      throw error;
    }
  }

  /**
   * What is still unexplained at the cursor: the watcher finds coin of a block that it was blind for in a later one, and
   * then a balance at the earlier block alone would tell of it a second time.
   */
  private async standingExcess(
    judged: readonly Balance[],
    { coins, unrecorded }: Known,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, bigint>> {
    const more = judged.filter(({ chainAtoms, recordedAtoms }) => chainAtoms > recordedAtoms);
    const cursor = await this.ledger.cursor(this.network.id);
    if (more.length === 0 || !cursor) return new Map();
    const addresses = more.map(({ address }) => address);
    const now = await this.history.coinBalances(addresses, cursor, signal);
    const { assets, repository, network } = this;
    // Read after the balances, so that what the watcher has written meanwhile counts.
    const written = await repository.recorded(network.id, network.family, addresses);
    const { movements } = await repository.paidOut(network.id, network.family, addresses);
    const known = sumsOf(
      [...written, ...movements, ...unrecorded].filter(({ asset }) => asset === assets.coin),
    );
    const before = sumsOf(coins);
    return new Map(
      more.map(({ address, chainAtoms, recordedAtoms }, i) => {
        const total = known.get(`${address} ${assets.coin}`) ?? before.get(`${address} ${assets.coin}`) ?? 0n;
        const excess = chainAtoms - recordedAtoms;
        const standing = now ? entryAt(now, i) - total : excess;
        return [address, standing < excess ? standing : excess];
      }),
    );
  }
}

function leftBy(paid: ByLogs['paid'], coin: string): Moved[] {
  const ofCoin = paid.filter(({ asset }) => asset === coin).map(changeBy);
  return ofCoin.map(({ address, asset, height, atoms }) => ({ address, asset, height, atoms: -atoms }));
}
