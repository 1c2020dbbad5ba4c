import type { Depth } from '../../../../config/config.types.js';
import { wireText } from '../../../../kernel/crypto-amount.js';
import type { Facts, Transfer } from '../../../chains/chains.types.js';
import { depthsIn, finalMoney, type Judged } from '../../domain/final-money.js';
import type { Intent } from '../../domain/model.js';
import { reasonsIn } from '../../domain/money-reason.js';
import { whollyObservedAt } from '../../domain/observed.js';
import type { Places } from '../../domain/places.js';
import { type MoneyEventBody, presentIntent } from '../../domain/present.js';
import { belongsTo, liveTransfers } from '../../domain/transfers.js';
import type { MoneyReason } from '../../reviews.types.js';
import { uncovered } from './review.js';

/** Money that is to be announced, kept and counted: one transfer, or the part of one that was too much. */
export interface UnsettledMoney {
  readonly transfer: Transfer;
  readonly reason: MoneyReason;
  readonly decimals: number;
  /** How deep it had to be, and must be still for a refund. */
  readonly depth: Depth;
  readonly atoms: bigint;
}

/** What a settlement took, if there is one. */
export interface SettledPart {
  readonly quoteId: string;
  readonly excessAtoms: bigint;
  readonly transferIds: readonly string[];
}

export interface Ended extends Judged {
  readonly intent: Intent;
  readonly settled: SettledPart | null;
  /** Transfers that have been announced before, whatever became of them since. */
  readonly announced: ReadonlySet<string>;
  /** Transfers that a settlement or a decision has dealt with. */
  readonly covered: ReadonlySet<string>;
}

/** What has become final since the last look, oldest first. Empty for money whose decimals nobody knows any more. */
export function newMoney(ended: Ended, places: Places): UnsettledMoney[] {
  const { intent, quotes, facts, settled, announced } = ended;
  const final = finalMoney(ended, places);
  const depthOf = depthsIn(ended, places);
  const open = uncovered(quotes, facts, ended.covered);
  const settledIds = new Set(settled?.transferIds);
  const reasonsAmong = (transfers: readonly Transfer[]) =>
    reasonsIn({ intent, quotes, facts: { ...facts, transfers } });
  const reasonOfOpen = reasonsAmong(open);
  // What was dismissed before it was final is told of all the same, as what it was then: beside what else was open.
  const dismissed = liveTransfers(quotes, facts).filter(
    ({ id }) => ended.covered.has(id) && !announced.has(id) && !settledIds.has(id),
  );
  const reasonOfDismissed = reasonsAmong([...open, ...dismissed]);
  const excess = settled ? excessOfEach(settled, facts) : new Map<string, bigint>();
  return final.flatMap((transfer): UnsettledMoney[] => {
    if (announced.has(transfer.id)) return [];
    const isSettled = settledIds.has(transfer.id);
    const atoms = isSettled ? (excess.get(transfer.id) ?? 0n) : transfer.amountAtoms;
    const quote = quotes.find((candidate) => belongsTo(transfer, candidate));
    const decimals = quote?.decimals ?? transfer.decimals;
    const depth = depthOf(transfer);
    if (atoms === 0n || decimals === null) return [];
    const reasonOf = ended.covered.has(transfer.id) ? reasonOfDismissed : reasonOfOpen;
    return [{ transfer, atoms, decimals, depth, reason: isSettled ? 'excess' : reasonOf(transfer) }];
  });
}

/** The transfers of a settlement from which its excess came: the latest, as far as it goes. */
export function excessOfEach(
  { transferIds, excessAtoms }: SettledPart,
  { transfers }: Pick<Facts, 'transfers'>,
): Map<string, bigint> {
  const ids = new Set(transferIds);
  const latestFirst = transfers
    .filter(({ id }) => ids.has(id))
    .sort((a, b) => whollyObservedAt(b).getTime() - whollyObservedAt(a).getTime() || (a.id < b.id ? 1 : -1));
  let left = excessAtoms;
  return new Map(
    latestFirst.map(({ id, amountAtoms }) => {
      const part = left < amountAtoms ? left : amountAtoms;
      left -= part;
      return [id, part];
    }),
  );
}

/** The bytes of the event. Rendered once, in the transaction that writes the money down. */
export function renderMoney(
  { intent, quotes }: Pick<Ended, 'intent' | 'quotes'>,
  { transfer, reason, decimals, atoms }: UnsettledMoney,
  event: { readonly id: string; readonly sequence: number; readonly at: Date; readonly checkoutUrl: string },
): string {
  const shown = quotes.find(({ id }) => id === intent.quoteId) ?? null;
  const body: MoneyEventBody = {
    id: event.id,
    type: 'payment.money',
    timestamp: event.at.toISOString(),
    sequence: event.sequence,
    data: {
      intent: presentIntent(intent, shown, event.checkoutUrl),
      money: {
        id: transfer.id,
        reason,
        network: transfer.network,
        asset: transfer.asset,
        amount: wireText({ atoms, decimals }),
        txid: transfer.txid,
        observedAt: whollyObservedAt(transfer).toISOString(),
      },
    },
  };
  return JSON.stringify(body);
}
