import type { Depth, NetworkConfig } from '../../../config/config.types.js';
import { COUNTED_BLOCKS, expectedWaitS } from '../../../config/depths.js';
import type { FieldError } from '../../../kernel/domain-error.js';
import { MAX_FIAT_MINOR } from '../../../kernel/fiat.js';
import { entryAt } from '../../../kernel/lookups.js';
import type { TypedNumber } from '../../../kernel/text/typed-number.js';
import { assetTerms } from '../terms.pure.js';
import type { Terms } from '../terms.types.js';

/** Half of what finality usually takes: whoever wants more chooses it by name. What the defaults say is always allowed. */
function maxBlocks(network: NetworkConfig): number {
  const { family, finalizedAfterS, blockIntervalS, confirmationDepth, settlementDepths } = network;
  if (family !== 'evm') return COUNTED_BLOCKS;
  const byDefault = [confirmationDepth, ...settlementDepths].filter((depth) => typeof depth === 'number');
  return Math.min(
    COUNTED_BLOCKS,
    Math.max(1, ...byDefault, Math.floor(finalizedAfterS / blockIntervalS / 2)),
  );
}

/** What is wrong with a merchant's terms, a sentence each. */
export function flawsOfTerms(terms: Terms<TypedNumber>, networks: readonly NetworkConfig[]): FieldError[] {
  const errors = networks.flatMap((network) => [
    ...flawsOfMinimums(terms, network),
    ...flawsOfDepths(terms, network),
  ]);
  const acceptsSomething = networks.some(({ id, assets }) =>
    assets.some(({ symbol }) => assetTerms(terms, id, symbol).accepted),
  );
  if (networks.length > 0 && !acceptsSomething) {
    const detail = 'Accept at least one asset, or nobody could pay.';
    errors.push({ pointer: '/networkTerms', code: 'nothing_accepted', detail });
  }
  return errors;
}

function flawsOfMinimums(terms: Terms<TypedNumber>, { id, name, assets }: NetworkConfig): FieldError[] {
  return assets.flatMap(({ symbol }) => {
    const { minimumMinor } = assetTerms(terms, id, symbol);
    if (isAmount(minimumMinor)) return [];
    const detail = `The smallest payment in ${symbol} on ${name} is an amount from 0 to 999999.99, such as 25 or 9.90.`;
    return [{ pointer: `/networkTerms/${id}/assets/${symbol}/minimumMinor`, code: 'out_of_range', detail }];
  });
}

function isAmount(minor: TypedNumber): boolean {
  return minor !== 'unreadable' && Number.isInteger(minor) && minor >= 0 && minor <= MAX_FIAT_MINOR;
}

function flawsOfDepths(terms: Terms<TypedNumber>, network: NetworkConfig): FieldError[] {
  const own = terms[network.id];
  if (!own) return [];
  const { id, name, family } = network;
  const isUsable = (depth: Depth | 'unreadable' | null): depth is Depth | null =>
    depth === null ||
    (family === 'evm' && (depth === 'safe' || depth === 'finalized')) ||
    (Number.isInteger(depth) && Number(depth) >= 1 && Number(depth) <= maxBlocks(network));
  const asked = [own.confirmationDepth, ...own.settlementDepths];
  if (asked.length !== 5 || !asked.every(isUsable)) {
    const tags = family === 'evm' ? ', “safe” or “finalized”, which is the deepest' : '';
    const detail = `A depth on ${name} is a number of blocks from 1 to ${maxBlocks(network)}${tags}; empty is the default.`;
    const wrong = asked.flatMap((depth, i) => (isUsable(depth) ? [] : [i]));
    return (wrong.length === 0 ? [0] : wrong).map((i) => flawOfDepth(id, i, detail));
  }
  const byDefault = [network.confirmationDepth, ...network.settlementDepths];
  const waits = asked.map((depth, i) => expectedWaitS(network, depth ?? entryAt(byDefault, i)));
  const shorter = waits.findIndex((wait, i) => i > 0 && wait < entryAt(waits, i - 1));
  if (shorter === -1) return [];
  const detail =
    `On ${name} a greater amount must not wait for less than a smaller one, nor settle before it is confirmed ` +
    '(empty fields count as their defaults).';
  return [flawOfDepth(id, shorter, detail)];
}

/** @param i 0 is the confirmation's, from 1 on settlement's by the amount */
function flawOfDepth(network: string, i: number, detail: string): FieldError {
  const name = i === 0 ? 'confirmationDepth' : `settlementDepths/${i - 1}`;
  return { pointer: `/networkTerms/${network}/${name}`, code: 'invalid', detail };
}
