import { Finality } from '../../src/modules/chains/evm/finality.js';
import { RpcNode } from '../../src/modules/chains/evm/node/rpc-node.js';
import { ChainTest } from '../chain/chains-fixture.js';
import { startTestAnvil, type TestAnvil } from '../support/anvil.js';
import { CONTRADICTIONS, NO_TAGS } from '../chain/evm-faults.js';
import { lie } from '../chain/hostile-faults.js';
import { HostileNode } from '../chain/hostile-node.js';
import type { Rule } from '../chain/hostile-plan.js';

let test: ChainTest;
let proxy: HostileNode;
let other: TestAnvil;

beforeAll(async () => {
  test = await ChainTest.start();
  other = await startTestAnvil();
  proxy = await HostileNode.start(test.anvil.rpcUrl);
  await test.mine(150);
  await test.catchUp();
});
beforeEach(() => {
  proxy.honest();
});
afterAll(async () => {
  await Promise.all([proxy?.stop(), other?.stop()]);
  await test?.stop();
});

const asking = (...tags: string[]): Pick<Rule, 'methods' | 'asking'> => ({
  methods: ['eth_getBlockByNumber'],
  asking: ({ params }) => tags.includes(params[0] as string),
});
const refuse = (code: number, message: string, ...tags: string[]): Rule => ({
  ...asking(...tags),
  fault: { kind: 'refuse', code, message },
});
const finalAt = (number: string): Rule => ({
  ...asking('finalized'),
  fault: lie(`final at ${number}`, (block) => ({ ...(block as object), number })),
});
/** A clock that the chain's own cannot overtake here. */
const later = () => Promise.resolve(new Date(Date.now() + 3_600_000));
const finalized = async () => (await test.chains.ledger.cursor('ethereum'))!.finalizedHeight;
const NOT_NOW = [
  [-32005, 'daily request count exceeded'],
  [429, 'too many requests'],
  [-32603, 'internal error'],
  [-32000, 'request timed out'],
] as const;

describe('what is final', () => {
  it.each(NOT_NOW)('is never guessed where a node refuses to say it: %s %s', async (code, message) => {
    const [before, cursor] = [await finalized(), await test.chains.ledger.cursor('ethereum')];
    const watcher = test.watcher(proxy.url);
    proxy.plan([refuse(code, message, 'finalized', 'safe')]);
    await test.mine();
    for (let i = 0; i < 2; i++) await expect(watcher.step()).rejects.toThrow();
    expect(await test.chains.ledger.cursor('ethereum')).toEqual(cursor);
    proxy.honest();
    await test.catchUp(watcher);
    expect(await finalized()).toBe(before + 1);
  });

  it('is asked for ever of a node that has said it once, whatever it answers later', async () => {
    const watcher = test.watcher(proxy.url);
    await watcher.step();
    proxy.plan([refuse(-32602, 'unknown block tag', 'finalized')]);
    await test.mine();
    await expect(watcher.step()).rejects.toThrow('unknown block tag');
    proxy.plan([{ ...asking('finalized'), fault: lie('nothing is final', () => null) }]);
    await expect(watcher.step()).rejects.toThrow('no longer says what is finalized');
  });

  it('is what is old enough, by the time of blocks, on a node that knows no such tag', async () => {
    proxy.plan([NO_TAGS]);
    const node = new RpcNode(proxy.url);
    const finality = () => new Finality(test.network, node, later);
    const seen = await node.tips();
    expect(seen).toMatchObject({ safeHeight: null, finalizedHeight: null, isTimed: true });
    // 150 blocks of a second each: a count of 64 or 128 blocks would have called some of them final.
    expect(await finality().of(seen)).toMatchObject({
      safeHeight: -1,
      finalizedHeight: -1,
    });
    await test.anvil.testClient.increaseTime({ seconds: 901 });
    await test.mine();
    const tips = await finality().of(await node.tips());
    expect(tips.finalizedHeight).toBeLessThan(tips.nodeHeight);
    const [final, next] = [await node.header(tips.finalizedHeight), await node.header(tips.nodeHeight)];
    expect(tips.finalizedHeight).toBeGreaterThanOrEqual(0);
    expect(next!.time.getTime() - final!.time.getTime()).toBeGreaterThanOrEqual(900_000);
  });

  it.each([
    ['twice, of its newest block', { ...asking('latest'), fromCall: 1, untilCall: 3 }],
    ['of every block', { methods: ['eth_getBlockByNumber'] }],
  ])('is never more by a false time that a node without tags tells: %s', async (_, when) => {
    const untagged = await HostileNode.start(test.anvil.rpcUrl);
    try {
      await test.mine(8);
      await test.catchUp();
      const before = await finalized();
      untagged.plan([NO_TAGS, { ...when, fault: CONTRADICTIONS.tomorrow }]);
      const watcher = test.watcher(untagged.url);
      for (let i = 0; i < 4; i++) {
        await test.mine();
        await watcher.step().catch(() => 'failed');
      }
      expect(untagged.strikes).toBeGreaterThan(0);
      expect(await finalized()).toBe(before);
    } finally {
      await untagged.stop();
    }
  });

  it('that lies above what is safe or newest is believed of no node', async () => {
    proxy.plan([finalAt('0xffff')]);
    await expect(new RpcNode(proxy.url).tips()).rejects.toThrow('65535 is final');
  });

  it.each(['finalized', 'safe'] as const)(
    'is not what another chain calls %s, as behind a balancer',
    async (tag) => {
      await test.catchUp();
      const cursor = await test.chains.ledger.cursor('ethereum');
      const tip = Number(await test.anvil.testClient.getBlockNumber());
      // Above what is final here, and below the tip: by its height alone it could be true.
      await other.testClient.mine({ blocks: tip - Number(await other.testClient.getBlockNumber()) + 1 });
      const watcher = test.watcher(proxy.url);
      proxy.plan([{ ...asking(tag), fault: { kind: 'elsewhere', url: other.rpcUrl } }]);
      for (let i = 0; i < 2; i++) await expect(watcher.step()).rejects.toThrow(`calls block`);
      expect(await test.chains.ledger.cursor('ethereum')).toEqual(cursor);
      proxy.honest();
      await test.catchUp(watcher);
    },
  );

  it('is not what another chain calls so that tells all but the blocks of a look, as behind a balancer', async () => {
    const watcher = test.watcher(proxy.url);
    await test.catchUp(watcher);
    const before = await finalized();
    const tip = Number(await test.anvil.testClient.getBlockNumber());
    // So much higher that by its finality all blocks here would be final.
    await other.testClient.mine({ blocks: tip - Number(await other.testClient.getBlockNumber()) + 300 });
    await test.mine(20);
    proxy.plan([
      {
        ...{ methods: ['eth_getBlockByNumber'], holding: ',false]' },
        fault: { kind: 'elsewhere', url: other.rpcUrl },
      },
    ]);
    await watcher.step().catch(() => 'failed');
    expect(proxy.strikes).toBeGreaterThan(0);
    expect(await finalized()).toBeLessThanOrEqual(before + 20);
    proxy.honest();
    await test.catchUp(watcher);
    expect(await finalized()).toBe(before + 20);
  });

  it('does not go back when a node that lags says less', async () => {
    await test.catchUp();
    const before = await finalized();
    const params = ['0x2', false];
    const second = await test.anvil.testClient.request({ method: 'eth_getBlockByNumber', params } as never);
    proxy.plan([{ ...asking('finalized'), fault: lie('final at 2', () => second) }]);
    await test.mine();
    await test.catchUp(test.watcher(proxy.url));
    expect(await finalized()).toBe(before);
  });

  it('is asked for ever of a node that said it before our restart, and never taken from the age of blocks instead', async () => {
    await test.catchUp(test.watcher(proxy.url));
    const before = await finalized();
    proxy.plan([refuse(-32602, 'unknown block tag', 'finalized', 'safe')]);
    // By their age, all of these would be final.
    await test.anvil.testClient.increaseTime({ seconds: 3_600 });
    await test.mine(20);
    const restarted = test.watcher(proxy.url);
    for (let i = 0; i < 2; i++) await expect(restarted.step()).rejects.toThrow('unknown block tag');
    expect(await finalized()).toBe(before);
    proxy.honest();
    await test.catchUp(test.watcher(proxy.url));
    expect(await finalized()).toBe(before + 20);
  });
});
