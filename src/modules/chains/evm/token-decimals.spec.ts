import type { NetworkConfig } from '../../../config/config.types.js';
import { CheckedNode } from './node/checked-node.js';
import type { EvmNode, TokenDecimals } from './node/evm-node.types.js';
import { TokensDivided } from './token-decimals.js';

const assets = [
  { symbol: 'BNB', decimals: 18, contract: null, dustAtoms: 1n },
  { symbol: 'USDC', decimals: 18, contract: '0x1', dustAtoms: 1n },
  { symbol: 'USDT', decimals: 6, contract: '0x2', dustAtoms: 1n },
];
const network = { id: 'bsc', assets } as unknown as NetworkConfig;

/** Answers in turn; the last answer again and again. */
function telling(answers: Readonly<Record<string, readonly TokenDecimals[]>>) {
  const asked: string[] = [];
  const decimals = (contract: string) => {
    const said = answers[contract] ?? [];
    const answer = said[Math.min(asked.filter((one) => one === contract).length, said.length - 1)];
    asked.push(contract);
    return Promise.resolve(answer ?? null);
  };
  return { node: { decimals } as unknown as EvmNode, asked };
}

it('asks once for what is right, and again for what was not told', async () => {
  const { node, asked } = telling({ '0x1': [18], '0x2': [null, null, 'untold'] });
  const tokens = new TokensDivided(network, node);
  for (let look = 0; look < 5; look += 1) await tokens.mustBeAsConfigured();
  expect(asked.sort()).toEqual(['0x1', '0x2', '0x2', '0x2']);
});

it('what was told to be wrong stays so while nothing else is told', async () => {
  const { node } = telling({ '0x1': [6, null, 18], '0x2': ['nothing', null, 6] });
  const tokens = new TokensDivided(network, node);
  for (let look = 0; look < 2; look += 1)
    await expect(tokens.mustBeAsConfigured()).rejects.toThrow(
      'USDC on bsc is configured with 18 decimals at 0x1: the token there has 6; ' +
        'USDT on bsc is configured with 6 decimals at 0x2: no token answers there',
    );
  await expect(tokens.mustBeAsConfigured()).resolves.toBeUndefined();
});

it('of two nodes either may say that it is wrong, and two that contradict each other say nothing', async () => {
  const said = (one: TokenDecimals, other: TokenDecimals) =>
    new CheckedNode(telling({ '0x1': [one] }).node, telling({ '0x1': [other] }).node).decimals('0x1');
  expect([await said(6, null), await said(null, 6), await said(6, 6), await said(null, null)]).toEqual([
    6,
    6,
    6,
    null,
  ]);
  await expect(said(6, 18)).rejects.toThrow('do not agree about the decimals');
});
