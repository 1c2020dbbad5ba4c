import { isDeepStrictEqual } from 'node:util';
import type { AgreedBlock } from '../reconciliation.types.js';
import type { EvmHistory } from './history.js';

/**
 * What an address holds, for what is written down by it: of both nodes where there are two, and nothing unless they say
 * the same (ADR 18).
 */
export class AgreedBalances {
  constructor(
    private readonly first: EvmHistory,
    private readonly second: EvmHistory | null,
  ) {}

  /** `null` where one of them does not tell, or tells otherwise. */
  coin(address: string, at: AgreedBlock): Promise<bigint | null> {
    return this.agreed((history) => history.coinBalances([address], at));
  }

  /** As `coin`. */
  token(contract: string, address: string, at: AgreedBlock): Promise<bigint | null> {
    return this.agreed((history) => history.tokenBalances(contract, [address], at));
  }

  private async agreed(ask: (history: EvmHistory) => Promise<bigint[] | null>): Promise<bigint | null> {
    const [one, two] = await Promise.all([ask(this.first), this.second && ask(this.second)]);
    if (this.second && !isDeepStrictEqual(one, two)) return null;
    return one?.[0] ?? null;
  }
}
