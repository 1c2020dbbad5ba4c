import { numberToHex } from 'viem';
import { CoreNode } from '../../../../src/modules/chains/bitcoin/core-node.js';
import { CoreRpc } from '../../../../src/modules/chains/bitcoin/core-rpc.js';
import { RpcNode } from '../../../../src/modules/chains/evm/node/rpc-node.js';
import { EvmHistory } from '../../../../src/modules/chains/reconciliation/evm/history.js';
import { Pace } from '../../../../src/modules/chains/reconciliation/pace.js';
import { lie } from '../../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../../chain/hostile/hostile-node.js';
import type { Rule } from '../../../chain/hostile/hostile-plan.js';
import { startTestAnvil } from '../../../support/nodes/anvil.js';
import { describeOnNode, TestNode } from '../../../support/nodes/litecoind.js';

// A block that stands somewhere else than where it was asked for is no answer, whoever asks.

const ANOTHER = /^the node answered block \d+ for block 1$/;

interface Reading {
  header(height: number): Promise<{ readonly height: number } | null>;
  blocks(fromHeight: number, toHeight: number): Promise<readonly { readonly height: number }[]>;
}

async function mustRefuse(node: Reading, proxy: HostileNode, rules: readonly Rule[]): Promise<void> {
  proxy.honest();
  expect(await node.header(1)).toMatchObject({ height: 1 });
  expect(await node.blocks(1, 1)).toMatchObject([{ height: 1 }]);
  for (const rule of rules) {
    proxy.plan([rule]);
    await expect(node.header(1)).rejects.toThrow(ANOTHER);
    await expect(node.blocks(1, 1)).rejects.toThrow(ANOTHER);
    expect(proxy.strikes).toBeGreaterThan(1);
  }
}

it('is refused of an EVM node', async () => {
  const anvil = await startTestAnvil();
  const proxy = await HostileNode.start(anvil.rpcUrl);
  try {
    await anvil.testClient.mine({ blocks: 4 });
    const other = await anvil.testClient.request({
      method: 'eth_getBlockByNumber',
      params: [numberToHex(3), true],
    } as never);
    await mustRefuse(new RpcNode(proxy.url), proxy, [
      { methods: ['eth_getBlockByNumber'], fault: lie('another block', () => other) },
    ]);
    await expect(new EvmHistory(proxy.url, new Pace(1_000)).block(1)).rejects.toThrow(ANOTHER);
  } finally {
    await proxy.stop();
    await anvil.stop();
  }
});

describeOnNode()('of a Bitcoin-like node', () => {
  it('is refused, whether the hash or the block is another one', async () => {
    const node = await TestNode.start();
    const proxy = await HostileNode.start(node.rpcUrl);
    try {
      await node.mine(4);
      const hash = await new CoreRpc(node.rpcUrl).call('getblockhash', 3);
      const moved = (block: unknown) => ({ ...(block as object), height: 3 });
      await mustRefuse(new CoreNode(new CoreRpc(proxy.url)), proxy, [
        { methods: ['getblockhash'], fault: lie('another hash', () => hash) },
        { methods: ['getblockheader', 'getblock'], fault: lie('another height', moved) },
      ]);
    } finally {
      await proxy.stop();
      await node.stop();
    }
  });

  it('is refused of its tip, and is forgotten once the node tells the truth, though no block comes', async () => {
    const node = await TestNode.start();
    const proxy = await HostileNode.start(node.rpcUrl);
    try {
      const asked = new CoreNode(new CoreRpc(proxy.url));
      const height = await node.height();
      const moved = (header: unknown) => ({ ...(header as object), height: 1 });
      proxy.plan([{ methods: ['getblockheader'], fault: lie('another height', moved) }]);
      await expect(asked.tip('rltc')).rejects.toThrow(`the node answered block 1 for block ${height}`);
      proxy.plan([
        { methods: ['getblockheader'], fault: lie('another time', (to) => ({ ...(to as object), time: 1 })) },
      ]);
      expect((await asked.tip('rltc')).time).toEqual(new Date(1_000));
      proxy.honest();
      expect(await asked.tip('rltc')).toMatchObject({ height });
      expect((await asked.tip('rltc')).time).not.toEqual(new Date(1_000));
    } finally {
      await proxy.stop();
      await node.stop();
    }
  });
});
