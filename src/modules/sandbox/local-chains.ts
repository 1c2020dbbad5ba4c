import { join } from 'node:path';
import { forwarderFactory } from '../chains/forwarders.types.js';
import { type LocalAnvil, startAnvil } from './local/evm/anvil.js';
import { deploy } from './local/evm/deploy.js';
import { deployToken, deployTokens } from './local/evm/tokens.js';
import type { Miner } from './local/miner.js';
import type { SandboxEvm, SandboxFile } from './sandbox-home.service.js';

/** anvil's second account, known to everybody. It holds the coin and the tokens of a chain that is worth nothing. */
const BUYER_PRIVATE_KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';

/** `safe` after four blocks, `finalized` after eight: `sandboxEthereum` tells the buyer the same. */
const ETHEREUM = { blockTimeS: 1, slotsInAnEpoch: 4 };
/** `safe` after two blocks, `finalized` after four. */
const POLYGON = { blockTimeS: 2, slotsInAnEpoch: 2, chainId: 31338 };

/** States are asked for at final blocks alone, eight back; older ones are memory for nobody. */
const HISTORY_BLOCKS = 64;

export interface LocalEvm {
  readonly running: Pick<SandboxFile['networks'], 'ethereum'> & { readonly polygon: SandboxEvm };
  readonly miners: Readonly<Record<'ethereum' | 'polygon', Miner | null>>;
}

/** Two EVM chains, so that the same address exists on both and money can go to the wrong one. */
export async function localEvm(dataDir: string, undo: (() => unknown)[]): Promise<LocalEvm> {
  const [ethereum, polygon] = await Promise.all([
    start(dataDir, 'anvil', ETHEREUM, undo),
    start(dataDir, 'anvil-polygon', POLYGON, undo),
  ]);
  const [tokens, usdc] = await Promise.all([
    deployTokens(ethereum.rpcUrl),
    deployToken(polygon.rpcUrl, 'USDC'),
  ]);
  // After the tokens: two at once from one account can get the same nonce.
  await Promise.all(
    [ethereum, polygon].map(({ rpcUrl }) =>
      deploy(rpcUrl, forwarderFactory.bytecode, 'the factory of deposit addresses'),
    ),
  );
  const chainOf = ({ rpcUrl, chainId }: LocalAnvil) => ({
    rpcUrl,
    chainId,
    buyerPrivateKey: BUYER_PRIVATE_KEY,
  });
  return {
    running: {
      ethereum: { ...chainOf(ethereum), coin: 'ETH', tokens },
      polygon: { ...chainOf(polygon), coin: 'POL', tokens: { USDC: usdc } },
    },
    miners: { ethereum: ethereum.miner, polygon: polygon.miner },
  };
}

interface Settings {
  readonly blockTimeS: number;
  readonly slotsInAnEpoch: number;
  readonly chainId?: number;
}

async function start(
  dataDir: string,
  folder: string,
  settings: Settings,
  undo: (() => unknown)[],
): Promise<LocalAnvil> {
  const anvil = await startAnvil({
    stateFile: join(dataDir, folder, 'state.json'),
    historyBlocks: HISTORY_BLOCKS,
    ...settings,
  });
  undo.push(() => anvil.stop());
  return anvil;
}
