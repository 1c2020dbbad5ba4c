import { KEPT_BLOCKS } from '../../../../src/modules/chains/data/ledger.repository.js';
import type { Cursor } from '../../../../src/modules/chains/data/ledger.types.js';
import { Finality } from '../../../../src/modules/chains/evm/finality.js';
import { RpcNode } from '../../../../src/modules/chains/evm/node/rpc-node.js';
import { ChainTest } from '../../../chain/chains-fixture.js';
import { CONTRADICTIONS, NO_TAGS } from '../../../chain/evm-faults.js';
import { lie } from '../../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../../chain/hostile/hostile-node.js';
import type { Rule } from '../../../chain/hostile/hostile-plan.js';
import { startTestAnvil, type TestAnvil } from '../../../support/nodes/anvil.js';

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

/** Nothing was final before, and of all that is told the same was read. */
const OURS = [
  { safeHeight: -1, finalizedHeight: -1 },
  { holding: (told: readonly Cursor[]) => Promise.resolve(new Set(told.map(({ height }) => height))) },
] as const;

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
/** Has the other chain at least so many blocks; no request mines so many that a busy machine misses its time. */
async function reach(height: number): Promise<void> {
  for (;;) {
    const missing = height - Number(await other.testClient.getBlockNumber());
    if (missing <= 0) return;
    await other.testClient.mine({ blocks: Math.min(200, missing) });
  }
}
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
    expect(await finality().of(seen, ...OURS)).toMatchObject({
      safeHeight: -1,
      finalizedHeight: -1,
    });
    await test.anvil.testClient.increaseTime({ seconds: 901 });
    await test.mine();
    const tips = await finality().of(await node.tips(), ...OURS);
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

  it('is held against what was read, however many blocks lie above it', async () => {
    await test.catchUp();
    const before = await finalized();
    const blockAt = (client: TestAnvil, height: number) =>
      client.testClient.request({
        method: 'eth_getBlockByNumber',
        params: [`0x${height.toString(16)}`, false],
      } as never);
    const told = (block: unknown): Rule => ({
      ...asking('finalized'),
      fault: lie('final long ago', () => block),
    });
    const watcher = test.watcher(proxy.url);
    proxy.plan([told(await blockAt(test.anvil, before))]);
    for (let mined = 0; mined < KEPT_BLOCKS + 20; mined += 100) await test.mine(100);
    await test.catchUp(watcher);
    expect(await finalized()).toBe(before);
    await reach(before + 11);
    proxy.plan([told(await blockAt(other, before + 10))]);
    await expect(watcher.step()).rejects.toThrow('was read there');
    proxy.plan([told(await blockAt(test.anvil, before + 10))]);
    await test.catchUp(watcher);
    expect(await finalized()).toBe(before + 10);
    proxy.honest();
    await test.catchUp(watcher);
    expect(await finalized()).toBeGreaterThan(before + KEPT_BLOCKS);
  });

  describe('of another chain, as behind a balancer', () => {
    /** Whatever is asked without transactions: tips and headers, all that finality is told by. */
    const HEADERS: Pick<Rule, 'methods' | 'holding'> = {
      methods: ['eth_getBlockByNumber'],
      holding: ',false]',
    };
    /** A chain with a block in a thousand seconds: nearly all of it is old. */
    const slow = (tip: number) =>
      lie('a slow chain', (told) => {
        const block = told as { number: string; timestamp: string };
        const early = 1_000 * (tip - Number(block.number));
        return { ...block, timestamp: `0x${(Number(block.timestamp) - early).toString(16)}` };
      });
    const KINDS = [
      ['a node that says what is final', []],
      ['one that does not', [NO_TAGS]],
    ] as const;

    it.each(KINDS)('is never ours, whichever answers of a look are its: %s', async (_, rules) => {
      const urls = [test.anvil.rpcUrl, test.anvil.rpcUrl, other.rpcUrl];
      const [near, honest, far] = await Promise.all(urls.map((url) => HostileNode.start(url)));
      try {
        honest!.plan(rules);
        near!.plan(rules);
        // So much higher that by its finality all blocks here would be final.
        const tip = Number(await test.anvil.testClient.getBlockNumber()) + 1_000;
        await reach(tip);
        far!.plan([{ methods: HEADERS.methods!, fault: slow(tip) }]);
        const truth = async () => {
          const told = await new RpcNode(honest!.url).tips();
          const finality = new Finality(test.network, new RpcNode(honest!.url), () =>
            test.chains.ledger.now(),
          );
          return (await finality.of(told, ...OURS)).finalizedHeight;
        };
        const elsewhere = { ...HEADERS, fault: { kind: 'elsewhere', url: far!.url } } as const;
        const first = Array.from({ length: 9 }, (_, i) => ({ ...elsewhere, untilCall: i + 1 }));
        const some = Array.from({ length: 6 }, () => ({ ...elsewhere, chance: 0.5 }));
        let struck = 0;
        for (const [i, rule] of [...first, ...some].entries()) {
          near!.plan(rules);
          await test.catchUp();
          const watcher = test.watcher(near!.url);
          await watcher.step();
          // More than a first look reads: the last block that it reads is below both tips.
          await test.mine(15);
          const most = Math.max(await finalized(), await truth());
          near!.plan([...rules, rule], i);
          await watcher.step().catch(() => 'failed');
          struck += near!.strikes;
          expect(await finalized()).toBeLessThanOrEqual(most);
        }
        expect(struck).toBeGreaterThan(15);
        near!.plan(rules);
        const kept = await finalized();
        await test.catchUp(test.watcher(near!.url));
        expect(await finalized()).toBe(Math.max(kept, await truth()));
      } finally {
        await Promise.all([near, honest, far].map((node) => node!.stop()));
      }
    });
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

  it('stands still where a node tells the same final block again and again, which is said of the network', async () => {
    await test.catchUp();
    const [before, health] = [await finalized(), async () => (await test.chains.health.all())[0]!];
    const params = [`0x${before.toString(16)}`, false];
    const same = await test.anvil.testClient.request({ method: 'eth_getBlockByNumber', params } as never);
    proxy.plan([{ ...asking('finalized'), fault: lie(`final at ${before}`, () => same) }]);
    await test.mine(3);
    await test.catchUp(test.watcher(proxy.url));
    expect(await finalized()).toBe(before);
    expect(await health()).toMatchObject({ state: 'open', isFinalityStalled: false });
    const knownFor = (ago: string) =>
      test.chains.dataSource.query('UPDATE chain_block SET recorded_at = clock_timestamp() - $1::interval', [
        ago,
      ]);
    await knownFor('3 hours');
    expect(await health()).toMatchObject({ state: 'open', isFinalityStalled: true });
    proxy.honest();
    await test.mine();
    await test.catchUp(test.watcher(proxy.url));
    expect(await finalized()).toBe(before + 4);
    await knownFor('1 minute');
    expect(await health()).toMatchObject({ state: 'open', isFinalityStalled: false });
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
