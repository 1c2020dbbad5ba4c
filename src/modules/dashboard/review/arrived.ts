import type { CryptoAmount } from '../../../kernel/crypto-amount.js';
import type { ReviewEntry } from '../../intents/reviews.types.js';
import { coinText } from '../domain/amounts.js';
import type { Say } from '../language/say.js';

/** What came of one asset on one network. */
export interface Arrived {
  /** `null` of an asset that is no longer configured. */
  readonly amount: CryptoAmount | null;
  readonly asset: string;
  readonly networkName: string;
}

/** What came, added up by asset and network, the first first. */
export function arrivedOf({ transfers }: Pick<ReviewEntry, 'transfers'>): Arrived[] {
  const kinds = new Map<string, Arrived>();
  for (const { network, networkName, asset, amount } of transfers) {
    const key = `${network} ${asset}`;
    const before = kinds.get(key);
    kinds.set(key, { asset, networkName, amount: before ? sumOf(before.amount, amount) : amount });
  }
  return [...kinds.values()];
}

function sumOf(a: CryptoAmount | null, b: CryptoAmount | null): CryptoAmount | null {
  return a && b && { ...a, atoms: a.atoms + b.atoms };
}

/** "25 USDC on Polygon and 0.01 ETH on Ethereum"; `null` where nothing came. */
export function arrivedText(say: Say, entry: Pick<ReviewEntry, 'transfers'>): string | null {
  const texts = arrivedOf(entry).map(({ amount, asset, networkName }) =>
    say('{amount} on {network}', { amount: coinText(say, amount, asset), network: networkName }),
  );
  return texts.length === 0 ? null : new Intl.ListFormat(say.language).format(texts);
}
