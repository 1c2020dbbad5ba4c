import type { NetworkConfig } from '../../../config/config.types.js';
import { paired } from '../../../kernel/lookups.js';
import { WrongToken } from '../node.errors.js';
import type { EvmNode } from './node/evm-node.types.js';

/**
 * An amount is a number of atoms, so a token that is divided otherwise than the configuration says would be sold for a
 * millionth of its price, or not at all: USDC has 6 decimals on Ethereum and 18 on BNB Chain. What is not told is believed of
 * the configuration: a node that answers slowly holds up no payment.
 * @returns whether all was told, and need not be asked again
 * @throws WrongToken naming each of them
 */
export async function mustBeDividedAsConfigured(
  { id, assets }: NetworkConfig,
  node: Pick<EvmNode, 'decimals'>,
): Promise<boolean> {
  const tokens = assets.flatMap(({ symbol, contract, decimals }) =>
    contract === null ? [] : [{ symbol, contract, decimals }],
  );
  const told = await Promise.all(tokens.map(({ contract }) => node.decimals(contract)));
  const wrong = paired(tokens, told).flatMap(([{ symbol, contract, decimals }, said]) => {
    if (said === null || said === 'untold' || said === decimals) return [];
    const found = said === 'nothing' ? 'no token answers there' : `the token there has ${said}`;
    return [`${symbol} on ${id} is configured with ${decimals} decimals at ${contract}: ${found}`];
  });
  if (wrong.length > 0) throw new WrongToken(wrong.join('; '));
  return !told.includes(null);
}
