import type { Difference, Incomparable } from './reconciliation.types.js';

/** What a comparison found, and what it could not tell. */
export interface Findings {
  readonly differences: readonly Difference[];
  readonly incomparable: Incomparable;
}

/** Of balances: where the node refused some, what was found of them earlier may stand. */
export interface BalanceFindings extends Findings {
  readonly isWhole: boolean;
}

export const NOTHING: Findings = { differences: [], incomparable: {} };

const MOST_TXIDS = 20;

export function differenceOn(
  network: string,
  kind: Exclude<Difference['kind'], 'unissued'>,
  about: Pick<Difference, 'address' | 'asset' | 'chainAtoms' | 'recordedAtoms' | 'height'> & {
    readonly txid?: string;
  },
): Difference {
  const { txid, address, asset, chainAtoms, recordedAtoms, height } = about;
  const amounts = { chainAtoms, recordedAtoms, height };
  return { network, kind, address, asset, ...amounts, txids: txid ? [txid] : [], key: null };
}

export function joinedFindings(findings: readonly Findings[]): Findings {
  return {
    differences: findings.flatMap(({ differences }) => differences),
    incomparable: findings.reduce<Incomparable>((all, { incomparable }) => ({ ...all, ...incomparable }), {}),
  };
}

/** One for each address, asset, kind and block: its row in the table. */
export function merged(differences: readonly Difference[]): Difference[] {
  const byKey = new Map<string, Difference>();
  for (const one of differences) {
    const key = `${one.address} ${one.asset} ${one.kind} ${one.height}`;
    const other = byKey.get(key);
    byKey.set(
      key,
      other
        ? {
            ...other,
            chainAtoms: other.chainAtoms + one.chainAtoms,
            recordedAtoms: other.recordedAtoms + one.recordedAtoms,
            txids: [...other.txids, ...one.txids].slice(0, MOST_TXIDS),
          }
        : one,
    );
  }
  return [...byKey.values()];
}
