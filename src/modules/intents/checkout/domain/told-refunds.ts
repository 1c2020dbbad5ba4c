import type { CheckoutRefund, CheckoutRefundState, RefundSum } from '../../checkout.types.js';
import type { Places } from '../../domain/places.js';
import type { RefundOnChain } from '../../refunds.types.js';
import type { DecidedRefund, Money, ReviewDecision } from '../../reviews.types.js';

export type StoredDecision = Pick<ReviewDecision, 'id' | 'kind' | 'refund' | 'createdAt'>;

export interface FollowedRefund extends RefundOnChain {
  readonly decisionId: string | null;
  /** As it was typed. */
  readonly amount: string;
}

/** A refund as its buyer is told of it, and what it is in atoms, where that is known. */
export interface ToldRefund {
  readonly refund: CheckoutRefund;
  readonly money: Money | null;
}

/** A hash as every network that we know writes it: whatever else a merchant noted is text, never a link. */
const TXID = /^(0x)?[0-9a-f]{64}$/i;

/** What left the chain after it was final is looked for as before. */
const UNDER_WAY: readonly CheckoutRefundState[] = ['asked', 'sent', 'seen', 'undone'];
const RETURNED: readonly CheckoutRefundState[] = ['final', 'recorded'];

/** All refunds of an intent, each once, in the order in which they were decided; those that were withdrawn are left out. */
export function toldRefunds(
  decisions: readonly StoredDecision[],
  followed: readonly FollowedRefund[],
  places: Places,
): ToldRefund[] {
  const recorded = decisions.flatMap(({ id, refund, createdAt: since }) =>
    refund && !followed.some(({ decisionId }) => decisionId === id)
      ? [{ since, told: recordedRefund(refund, since, places) }]
      : [],
  );
  const told = [
    ...recorded,
    ...followed
      .filter(({ state }) => state !== 'withdrawn')
      .map((refund) => ({ since: refund.createdAt, told: followedRefund(refund, places) })),
  ];
  return told.sort((a, b) => a.since.getTime() - b.since.getTime()).map((each) => each.told);
}

/** By network and asset. @param refundable what is left to give back */
export function refundSums(
  told: readonly ToldRefund[],
  refundable: readonly Money[],
  places: Places,
): RefundSum[] {
  const refunded = told.map(({ money }) => money).filter((money) => money !== null);
  if (refunded.length === 0) return [];
  const kinds = new Map([...refunded, ...refundable].map((money) => [kindOf(money), money]));
  return [...kinds].map(([kind, { network, asset, decimals }]) => {
    const sum = (states: readonly CheckoutRefundState[] | null): bigint =>
      told.reduce(
        (total, { refund, money }) =>
          money && kindOf(money) === kind && (states?.includes(refund.state) ?? true)
            ? total + money.atoms
            : total,
        0n,
      );
    const left = refundable.find((money) => kindOf(money) === kind)?.atoms ?? 0n;
    const amount = (atoms: bigint) => ({ atoms, decimals });
    return {
      network,
      networkName: places.network(network)?.name ?? network,
      asset,
      returned: amount(sum(RETURNED)),
      underWay: amount(sum(UNDER_WAY)),
      owed: amount(left + sum(null)),
    };
  });
}

function kindOf({ network, asset }: Money): string {
  return `${network} ${asset}`;
}

function recordedRefund({ typed, money, txid }: DecidedRefund, at: Date, places: Places): ToldRefund {
  const { network, asset } = money ?? { network: null, asset: null };
  return tell({ state: 'recorded', network, asset, txid, at, typed: typed ?? '' }, money, places);
}

function followedRefund(followed: FollowedRefund, places: Places): ToldRefund {
  const { network, asset, decimals, atoms, amount: typed, changedAt: at } = followed;
  // A transaction that pays another refund was named for this one by mistake.
  const txid = followed.txid === followed.elsewhereTxid ? null : followed.txid;
  const state = stateOf(followed, txid);
  return tell({ state, network, asset, txid, at, typed }, { network, asset, decimals, atoms }, places);
}

function stateOf(
  { state, undoneAt, searchEndedAt }: FollowedRefund,
  txid: string | null,
): CheckoutRefundState {
  if (undoneAt !== null) return 'undone';
  if (state === 'seen' || state === 'final') return state;
  if (searchEndedAt !== null) return 'unfound';
  return txid === null ? 'asked' : 'sent';
}

type Telling = Pick<CheckoutRefund, 'state' | 'network' | 'asset' | 'typed' | 'txid' | 'at'>;

function tell(told: Telling, money: Money | null, places: Places): ToldRefund {
  const { txid } = told;
  const network = told.network === null ? null : places.network(told.network);
  const refund = {
    ...told,
    amount: money && { atoms: money.atoms, decimals: money.decimals },
    networkName: network?.name ?? told.network,
    explorerUrl: txid && TXID.test(txid) ? (network?.explorerTx?.replace('{txid}', txid) ?? null) : null,
  };
  return { refund, money };
}
