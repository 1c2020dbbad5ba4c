import type { RateHealth } from '../../../rates/rates.types.js';
import type { PlainText } from '../../language/german/german.js';
import type { Say } from '../../language/say.js';
import type { Finding } from './finding.types.js';

/** Pairs without a price, and sources that fail for pairs with one. */
export function rateFindings(say: Say, rates: readonly RateHealth[]): Finding[] {
  return [...rates.flatMap((rate) => rateFinding(say, rate)), ...sourceFindings(say, rates)];
}

function rateFinding(say: Say, { asset, currency, price, sources }: RateHealth): Finding[] {
  if (price !== null) return [];
  const said = sources.map(({ name, part }) => `${name} ${partLabel(say, part)}`).join(', ');
  const why = said || say('no source is configured');
  const text = say('{asset} has no price in {currency} and cannot be chosen: {why}.', {
    asset,
    currency,
    why,
  });
  return [{ tone: 'bad', text, path: '#rates' }];
}

type SourcePart = RateHealth['sources'][number]['part'];

const PARTS = {
  used: 'counts',
  alone: 'is alone',
  silent: 'is silent',
  stale: 'has an old price',
  deviant: 'is too far from the others',
} as const satisfies Record<SourcePart, PlainText>;

export function partLabel(say: Say, part: SourcePart): string {
  return say(PARTS[part]);
}

/** A source that fails for pairs which others still price: nothing is closed, but the next failure may close it. */
function sourceFindings(say: Say, rates: readonly RateHealth[]): Finding[] {
  const failing = new Map<string, string[]>();
  for (const { asset, currency, price, sources } of rates) {
    if (price === null) continue;
    for (const { name, part } of sources.filter((source) => source.part !== 'used')) {
      const key = `${name} ${partLabel(say, part)}`;
      failing.set(key, [...(failing.get(key) ?? []), `${asset}/${currency}`]);
    }
  }
  return [...failing].map(([source, pairs]) => {
    const text = say('{source} for {pairs}. The other sources give a price.', {
      source,
      pairs: pairs.join(', '),
    });
    return { tone: 'warn', text, path: '#rates' };
  });
}
