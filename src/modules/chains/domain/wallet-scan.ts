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

/** So many indexes past the next one must have been searched: others were issued while the nodes were asked. */
const SEARCHED_AHEAD = 50;

/**
 * Networks whose nodes have yet to say which indexes of a key were used before: nothing is issued there.
 * @param before those that had to be asked
 * @param family all that are configured of the key's family: what is found on one moves the end for all
 * @param nextIndex that the key issues by now
 */
export function stillUnsearched(
  scan: WalletScan,
  before: readonly string[],
  family: readonly string[],
  nextIndex = scan.from,
): string[] {
  const isShort = scan.isCutShort || scan.to < nextIndex + SEARCHED_AHEAD;
  const told = isShort ? [] : scan.networks.filter(({ reason }) => reason === null);
  const answered = new Set(told.map(({ network }) => network));
  const asked = lastUsed(scan) === null ? before : [...new Set([...before, ...family])];
  return asked.filter((network) => !answered.has(network));
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
    ? [`The search paused at index ${to - 1} without an end of the used ones, and goes on by itself.`]
    : [];
  const failed = networks.flatMap(({ network, reason }) =>
    reason === null
      ? []
      : [
          `${nameOf(network)} was not asked to the end (${reason}): whether addresses were used there is not known yet. ` +
            'The search goes on by itself, and nobody can pay there with this key before it is done.',
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
