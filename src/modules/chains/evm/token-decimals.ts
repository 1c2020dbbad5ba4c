import type { NetworkConfig } from '../../../config/config.types.js';
import { WrongToken } from '../node.errors.js';
import type { EvmNode } from './node/evm-node.types.js';

/**
 * An amount is a number of atoms, so a token that is divided otherwise than the configuration says would be sold for a
 * millionth of its price, or not at all: USDC has 6 decimals on Ethereum and 18 on BNB Chain. What no node tells is believed
 * of the configuration.
 * @throws WrongToken naming each of them
 */
export async function mustBeDividedAsConfigured(
  { id, assets }: NetworkConfig,
  node: Pick<EvmNode, 'decimals'>,
): Promise<void> {
  const wrong = await Promise.all(
    assets.map(async ({ symbol, contract, decimals }) => {
      const told = contract === null ? null : await node.decimals(contract);
      if (told === null || told === decimals) return [];
      const said = told === 'nothing' ? 'no token answers there' : `the token there has ${told}`;
      return [`${symbol} on ${id} is configured with ${decimals} decimals at ${contract}: ${said}`];
    }),
  );
  if (wrong.flat().length > 0) throw new WrongToken(wrong.flat().join('; '));
}
