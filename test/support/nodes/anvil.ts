import { setTimeout as pause } from 'node:timers/promises';
import { createTestClient, custom, http, publicActions, walletActions } from 'viem';
import { foundry } from 'viem/chains';
import {
  type AnvilOptions,
  type LocalAnvil,
  startAnvil,
} from '../../../src/modules/sandbox/local/evm/anvil.js';
import { deployTokens, type Tokens } from '../../../src/modules/sandbox/local/evm/tokens.js';

/**
 * A node whose answer to a transaction comes once the transaction's block is there. An anvil that mines for each one
 * answers first and mines beside it, so whoever reads at once may read the block before.
 */
function minesFirst(rpcUrl: string) {
  const node = http(rpcUrl)({});
  return custom({
    request: async ({ method, params }: { method: string; params: unknown }) => {
      const answer = await node.request({ method, params });
      if (method !== 'eth_sendTransaction' && method !== 'eth_sendRawTransaction') return answer;
      const receipt = () => node.request({ method: 'eth_getTransactionReceipt', params: [answer] });
      while ((await receipt()) === null) await pause(5);
      return answer;
    },
  });
}

// Inferred: viem's type of an extended client cannot be written down in one line.
const connect = (rpcUrl: string, chainId: number, automine: boolean) =>
  createTestClient({
    mode: 'anvil',
    chain: { ...foundry, id: chainId },
    transport: automine ? minesFirst(rpcUrl) : http(rpcUrl),
    // Local blocks come at once; viem's default of 4 s would make every receipt slow.
    pollingInterval: 20,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions);

export type AnvilClient = ReturnType<typeof connect>;

export type TestAnvil = LocalAnvil & { tokens: Tokens; testClient: AnvilClient };

export type TestAnvilOptions = AnvilOptions & {
  /** A block for every transaction; off unless asked for, so that a spec decides with `testClient.mine()`. */
  automine?: boolean;
};

/** An anvil with the sandbox's tokens. Without `blockTimeS` or `automine` it mines only when it is told to. */
export async function startTestAnvil(options: TestAnvilOptions = {}): Promise<TestAnvil> {
  const { automine = false, ...anvilOptions } = options;
  const anvil = await startAnvil({ slotsInAnEpoch: 2, ...anvilOptions });
  const testClient = connect(anvil.rpcUrl, anvil.chainId, automine);
  const tokens = await deployTokens(anvil.rpcUrl);
  if (anvilOptions.blockTimeS === undefined && !automine) await testClient.setAutomine(false);
  return { ...anvil, tokens, testClient };
}

/**
 * Replaces the last blocks by as many: empty ones, but for the raw transactions given with the block's offset. `anvil_reorg`
 * sets the chain's clock back to the block from which it goes on, and after many of these no tip is new enough for a
 * watcher to count itself as synced: it is set right again.
 */
export async function reorganise(
  testClient: AnvilClient,
  depth: number,
  transactions: readonly (readonly [raw: unknown, offset: number])[] = [],
): Promise<void> {
  await testClient.request({ method: 'anvil_reorg', params: [depth, transactions] } as never);
  const { timestamp } = await testClient.getBlock();
  const seconds = Math.floor(Date.now() / 1_000) - Number(timestamp);
  if (seconds > 0) await testClient.increaseTime({ seconds });
}
