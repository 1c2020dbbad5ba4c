import { valueAt } from '../../../kernel/lookups.js';

/** A movement to one of our addresses, whoever says so. */
export interface Movement {
  readonly address: string;
  readonly asset: string;
  readonly txid: string;
  readonly height: number;
  readonly atoms: bigint;
}

/** What an address got of an asset in a transaction, by the one and by the other. */
export interface Unequal {
  readonly address: string;
  readonly asset: string;
  readonly txid: string;
  readonly height: number;
  readonly chainAtoms: bigint;
  readonly recordedAtoms: bigint;
}

/** Compares by transaction, address and asset: where in a transaction a movement stands is the finder's business. */
export function unequalMovements(chain: readonly Movement[], recorded: readonly Movement[]): Unequal[] {
  const [held, written] = [byKey(chain), byKey(recorded)];
  const keys = new Set([...held.keys(), ...written.keys()]);
  return [...keys].flatMap((key) => {
    const [on, off] = [held.get(key), written.get(key)];
    const [chainAtoms, recordedAtoms] = [on?.atoms ?? 0n, off?.atoms ?? 0n];
    if (chainAtoms === recordedAtoms) return [];
    const { address, asset, txid, height } = on ?? valueAt(written, key);
    return [{ address, asset, txid, height, chainAtoms, recordedAtoms }];
  });
}

function byKey(movements: readonly Movement[]): Map<string, Movement> {
  const sums = new Map<string, Movement>();
  for (const movement of movements) {
    const key = `${movement.txid} ${movement.address} ${movement.asset}`;
    const sum = sums.get(key);
    sums.set(key, sum ? { ...sum, atoms: sum.atoms + movement.atoms } : movement);
  }
  return sums;
}

/**
 * What a balance says of the recorded sum: `unexplained` holds more, `missing` holds less although its owner never sent.
 * `spent`: its owner has sent, so that nothing more can be told. Not by the same sum either: as much may have come unseen
 * as had gone.
 */
export type BalanceVerdict = 'same' | 'unexplained' | 'spent' | 'missing';

export function judgeBalance(balance: bigint, recorded: bigint, hasSent: boolean): BalanceVerdict {
  if (balance > recorded) return 'unexplained';
  if (hasSent) return 'spent';
  return balance === recorded ? 'same' : 'missing';
}
