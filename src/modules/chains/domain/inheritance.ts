/** A transfer and another one, of `winnerTxid`, that is there now and cannot be mined together with it. */
export interface RivalPair {
  readonly loserId: string;
  /** Whether it was credited until this very moment: only such money hands its time on. */
  readonly bequeaths: boolean;
  /** `null` where its own transaction is back without paying this any more. */
  readonly winnerId: string | null;
  readonly winnerTxid: string;
}

export interface Supersession {
  readonly losers: readonly { readonly id: string; readonly replacedBy: string }[];
  /** Each with one that it took the place of. */
  readonly heirs: readonly { readonly id: string; readonly loserId: string }[];
}

/**
 * A loser hands on to one transaction only, to all that this one pays, whatever else spends another of its coins. How
 * much of it counts there is judged from all that is known by then (`intents/domain/observed`): a loser may come back.
 */
export function supersede(pairs: readonly RivalPair[]): Supersession {
  const replacedBy = new Map<string, string>();
  for (const { loserId, winnerTxid } of pairs) {
    if (!replacedBy.has(loserId)) replacedBy.set(loserId, winnerTxid);
  }
  return {
    losers: [...replacedBy].map(([id, txid]) => ({ id, replacedBy: txid })),
    heirs: pairs.flatMap(({ loserId, bequeaths, winnerId, winnerTxid }) =>
      bequeaths && winnerId !== null && replacedBy.get(loserId) === winnerTxid
        ? [{ id: winnerId, loserId }]
        : [],
    ),
  };
}
