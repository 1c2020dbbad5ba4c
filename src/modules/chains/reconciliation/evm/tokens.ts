import type { EvmAssets } from '../../evm/coin/credits.js';
import type { AgreedBlock, Difference } from '../../reconciliation.types.js';
import { unequalMovements } from '../compare.js';
import { differenceOn, type Findings } from '../differences.js';
import type { EvmHistory } from './history.js';
import type { PaidOut, RecordedMovement } from '../data/reconciliation.repository.js';
import { sumsOf } from '../sums.js';

/** Addresses that are compared together, with all that is recorded for them. */
export interface Batch {
  readonly addresses: readonly string[];
  readonly recorded: readonly RecordedMovement[];
  readonly paidOut: PaidOut;
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
  ): Promise<Difference[]> {
    const { tokens } = this.assets;
    if (tokens.size === 0) return [];
    const logs = await this.history.transfersTo([...tokens.keys()], addresses, from, compared.to, signal);
    const chain = logs.map(({ contract, to: address, txid, height, atoms }) => ({
      ...{ address, asset: tokens.get(contract)!, txid, height, atoms },
    }));
    const listed = new Set(tokens.values());
    const ours = recorded.filter(
      ({ asset, height, output, isBeforeIssue }) =>
        listed.has(asset) &&
        !isTokenRest(output) &&
        height >= (isBeforeIssue ? from : compared.from) &&
        height <= compared.to,
    );
    return unequalMovements(chain, ours).map((one) =>
      differenceOn(this.network, one.chainAtoms > one.recordedAtoms ? 'unrecorded' : 'missing', one),
    );
  }

  /** Less than recorded is what their owner has spent, for the logs have told what came. */
  async byBalances(
    at: AgreedBlock,
    { addresses, recorded, paidOut }: Batch,
    byLogs: readonly Difference[],
    signal?: AbortSignal,
  ): Promise<Findings> {
    const differences: Difference[] = [];
    const incomparable: Record<string, number> = {};
    const known = sumsOf([
      ...[...recorded, ...paidOut.movements].filter(({ height }) => height <= at.height),
      ...byLogs.map(({ chainAtoms, recordedAtoms, ...one }) => ({
        ...one,
        atoms: chainAtoms - recordedAtoms,
      })),
    ]);
    for (const [contract, asset] of this.assets.tokens) {
      const balances = await this.history.tokenBalances(contract, addresses, at, signal);
      if (!balances) incomparable[`balances of ${asset}`] = addresses.length;
      balances?.forEach((chainAtoms, i) => {
        const address = addresses[i]!;
        const recordedAtoms = known.get(`${address} ${asset}`) ?? 0n;
        if (chainAtoms <= recordedAtoms) return;
        const about = { address, asset, chainAtoms, recordedAtoms, height: at.height };
        differences.push(differenceOn(this.network, 'unexplained', about));
      });
    }
    return { differences, incomparable };
  }
}

const TOKEN_REST = 'token:';

/** The output of tokens that an address got in a block without any log. */
export const tokenRest = (contract: string, address: string): string => `${TOKEN_REST}${contract}:${address}`;
const isTokenRest = (output: string): boolean => output.startsWith(TOKEN_REST);
