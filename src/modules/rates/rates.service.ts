import type { Currency } from '../../kernel/fiat.js';
import type { Rate, RateHealth } from './rates.types.js';

/**
 * Where prices come from. Answers from memory, at once: nothing on a request's path waits for a price source.
 * `null` says that there is no rate fresh enough; the option is then closed, never guessed.
 */
export abstract class RateBook {
  abstract rate(asset: string, currency: Currency): Rate | null;

  /** Every pair that the configured networks need. A book that cannot fail has nothing to tell. */
  health(): readonly RateHealth[] {
    return [];
  }
}
