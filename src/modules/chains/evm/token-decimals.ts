import type { NetworkConfig } from '../../../config/config.types.js';
import { WrongToken } from '../node.errors.js';
import type { EvmNode } from './node/evm-node.types.js';

/**
 * How the tokens of a network are divided, as their contracts say. An amount is a number of atoms, so one that is divided
 * otherwise than the configuration says would be sold for a millionth of its price, or not at all: USDC has 6 decimals on
 * Ethereum and 18 on BNB Chain. What is not told is believed of the configuration, because a node that answers slowly holds up
 * no payment; but what was found wrong stays so until it is told otherwise.
 */
export class TokensDivided {
  /** By contract: what is wrong, or `null` for what is right or never told. */
  private readonly told = new Map<string, string | null>();

  constructor(
    private readonly network: NetworkConfig,
    private readonly node: Pick<EvmNode, 'decimals'>,
  ) {}

  /** Asks once for what is right, and at each look for the others. @throws WrongToken naming each that is not as configured */
  async mustBeAsConfigured(): Promise<void> {
    await Promise.all(
      this.network.assets.map(async ({ symbol, contract, decimals }) => {
        if (contract === null || this.told.get(contract) === null) return;
        const said = await this.node.decimals(contract);
        if (said === null) return;
        const isRight = said === decimals || said === 'untold';
        const found = said === 'nothing' ? 'no token answers there' : `the token there has ${said}`;
        const wrong = `${symbol} on ${this.network.id} is configured with ${decimals} decimals at ${contract}: ${found}`;
        this.told.set(contract, isRight ? null : wrong);
      }),
    );
    const wrong = [...this.told.values()].filter((one) => one !== null);
    if (wrong.length > 0) throw new WrongToken(wrong.join('; '));
  }
}
