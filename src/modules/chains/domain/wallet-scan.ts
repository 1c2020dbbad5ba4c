import type { WalletScan } from '../wallet-scan.types.js';

/** The last index that was used; `null` for none. */
export function lastUsed({ used }: Pick<WalletScan, 'used'>): number | null {
  return used.length === 0 ? null : Math.max(...used.map(({ index }) => index));
}

/** The index behind all that were used, and never before where the search began. */
export function firstUnused(scan: WalletScan): number {
  return Math.max(scan.from, (lastUsed(scan) ?? -1) + 1);
}

/** Whether every node could be asked to the end. What a node never tells does not count: it is said beside. */
export function isAnswered({ networks, isCutShort }: WalletScan): boolean {
  return !isCutShort && networks.every(({ reason }) => reason === null);
}

/**
 * What a search found and did not, for people; a sentence each.
 * @param nameOf a network's name
 */
export function scanSentences(scan: WalletScan, nameOf: (network: string) => string): string[] {
  const { from, to, used, networks, isCutShort } = scan;
  const answered = networks.filter(({ reason }) => reason === null);
  const last = lastUsed(scan);
  const seen = [...new Set(used.map(({ network }) => nameOf(network)))].join(', ');
  const found =
    last === null
      ? answered.length === 0
        ? []
        : [`On ${names(answered, nameOf)} no index from ${from} to ${to - 1} was used before.`]
      : [`The last used index is ${last} (on ${seen}): addresses up to there belong to whoever used them.`];
  const short = isCutShort
    ? [`The search ended at index ${to - 1} without an end of the used ones: there may be more.`]
    : [];
  const failed = networks.flatMap(({ network, reason }) =>
    reason === null
      ? []
      : [
          `${nameOf(network)} was not asked to the end (${reason}): whether addresses were used there is not known. ` +
            'If this account was ever used, skip beyond its last used index.',
        ],
  );
  const untold = networks.flatMap(({ network, untold: what }) =>
    what.length === 0 ? [] : [`The node of ${nameOf(network)} does not tell of ${what.join(', ')}.`],
  );
  return [...found, ...short, ...failed, ...untold];
}

function names(networks: readonly { readonly network: string }[], nameOf: (network: string) => string) {
  return networks.map(({ network }) => nameOf(network)).join(', ');
}
