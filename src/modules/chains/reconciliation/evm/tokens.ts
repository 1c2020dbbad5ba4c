import { entryAt, valueAt } from '../../../../kernel/lookups.js';
import type { EvmAssets } from '../../evm/coin/credits.js';
import { type Movement, unequalMovements } from '../compare.js';
import type { PaidOut, RecordedMovement } from '../data/reconciliation.repository.js';
import { type BalanceFindings, differenceOn } from '../differences.js';
import type { AgreedBlock, Difference } from '../reconciliation.types.js';
import { sumsOf } from '../sums.js';
import type { EvmHistory } from './history.js';

/** Addresses that are compared together, with all that is recorded for them. */
export interface Batch {
  readonly addresses: readonly string[];
  readonly recorded: readonly RecordedMovement[];
  readonly paidOut: PaidOut;
}

/** What logs tell otherwise than is recorded. */
export interface ByLogs {
  /** Tokens that came. */
  readonly arrived: readonly Difference[];
  /** What deposit addresses without keys paid out. */
  readonly paid: readonly Difference[];
}

/** What the logs of blocks tell otherwise; before `first` the node has none (`null`: it has all). */
export interface ToldDifferences {
  readonly differences: readonly Difference[];
  readonly first: number | null;
}

/** A node that has pruned some logs may answer without others: what it does not tell is not missing. */
export const withoutMissing = (differences: readonly Difference[]): readonly Difference[] =>
  differences.filter(({ kind }) => kind !== 'missing');

/** By how much the chain tells more of a movement than is recorded. */
export function changeBy({ chainAtoms, recordedAtoms, ...one }: Difference) {
  return { ...one, atoms: chainAtoms - recordedAtoms };
}

/** What of it is not as the chain has it still, where some has been recorded since. */
export function stillUnrecorded({ arrived, paid }: ByLogs, { addresses, recorded, paidOut }: Batch): ByLogs {
  const compared = new Set(addresses);
  const still = (found: readonly Difference[], movements: readonly Movement[], sign: bigint) =>
    found.flatMap((one) => {
      if (!compared.has(one.address)) return [];
      const own = movements.filter(
        ({ address, asset, txid }) =>
          address === one.address && asset === one.asset && one.txids.includes(txid),
      );
      const recordedAtoms = own.reduce((sum, { atoms }) => sum + sign * atoms, 0n);
      return recordedAtoms === one.chainAtoms ? [] : [{ ...one, recordedAtoms }];
    });
  return { arrived: still(arrived, recorded, 1n), paid: still(paid, paidOut.movements, -1n) };
}

/** Tokens: by all Transfer logs to an address, and by its balance. */
export class EvmTokens {
  constructor(
    private readonly network: string,
    private readonly assets: EvmAssets,
    private readonly history: EvmHistory,
  ) {}

  /**
   * Transaction by transaction.
   * @param compared heights whose recorded movements are compared
   * @param from where logs are asked for from: what came before the addresses were issued only balances tell
   */
  async byLogs(
    compared: { readonly from: number; readonly to: number },
    from: number,
    { addresses, recorded }: Batch,
    signal?: AbortSignal,
  ): Promise<ToldDifferences> {
    const { tokens } = this.assets;
    if (tokens.size === 0) return { differences: [], first: null };
    const contracts = [...tokens.keys()];
    const { logs, first } = await this.history.logs.transfersTo(
      contracts,
      addresses,
      from,
      compared.to,
      signal,
    );
    const lowest = first ?? 0;
    const chain = logs
      .filter(({ height }) => height >= lowest)
      .map(({ contract, to: address, txid, height, atoms }) => ({
        address,
        asset: valueAt(tokens, contract),
        txid,
        height,
        atoms,
      }));
    const listed = new Set(tokens.values());
    const ours = recorded.filter(
      ({ asset, height, output, isBeforeIssue }) =>
        listed.has(asset) &&
        !isTokenRest(output) &&
        height >= Math.max(lowest, isBeforeIssue ? from : compared.from) &&
        height <= compared.to,
    );
    const differences = unequalMovements(chain, ours).map((one) =>
      differenceOn(this.network, one.chainAtoms > one.recordedAtoms ? 'unrecorded' : 'missing', one),
    );
    return { differences: first === null ? differences : withoutMissing(differences), first };
  }

  /**
   * Less than recorded is what their owner has spent, for the logs have told what came. Of an address without a key the
   * logs have told what left as well.
   */
  async byBalances(
    at: AgreedBlock,
    { addresses, recorded, paidOut }: Batch,
    { arrived, paid }: ByLogs,
    signal?: AbortSignal,
  ): Promise<BalanceFindings> {
    const differences: Difference[] = [];
    const incomparable: Record<string, number> = {};
    const known = sumsOf([
      ...[...recorded, ...paidOut.movements].filter(({ height }) => height <= at.height),
      ...arrived.map(changeBy),
      ...paid.map(changeBy).map(({ atoms, ...one }) => ({ ...one, atoms: -atoms })),
    ]);
    for (const [contract, asset] of this.assets.tokens) {
      const balances = await this.history.tokenBalances(contract, addresses, at, signal);
      if (!balances) incomparable[`balances of ${asset}`] = addresses.length;
      balances?.forEach((chainAtoms, i) => {
        const address = entryAt(addresses, i);
        const recordedAtoms = known.get(`${address} ${asset}`) ?? 0n;
        const maySend = !paidOut.forwarders.has(address);
        if (chainAtoms === recordedAtoms || (maySend && chainAtoms < recordedAtoms)) return;
        const kind = chainAtoms > recordedAtoms ? 'unexplained' : 'missing';
        const about = { address, asset, chainAtoms, recordedAtoms, height: at.height };
        differences.push(differenceOn(this.network, kind, about));
      });
    }
    return { differences, incomparable, isWhole: Object.keys(incomparable).length === 0 };
  }
}

const TOKEN_REST = 'token:';

/** The output of tokens that an address got in a block without any log. */
export const tokenRest = (contract: string, address: string): string => `${TOKEN_REST}${contract}:${address}`;
const isTokenRest = (output: string): boolean => output.startsWith(TOKEN_REST);
