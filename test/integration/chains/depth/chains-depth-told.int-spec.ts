import { BitcoinTest } from '../../../chain/bitcoin-fixture.js';
import { ChainTest } from '../../../chain/chains-fixture.js';
import { lie } from '../../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../../chain/hostile/hostile-node.js';
import { describeOnNode } from '../../../support/nodes/litecoind.js';

describe('of a payment that gets deeper', () => {
  let test: ChainTest;
  beforeAll(async () => {
    test = await ChainTest.start();
  });
  afterAll(() => test?.stop());

  it('its intent is told once the cursor is at the tip, also where the tip falls back to the cursor', async () => {
    const proxy = await HostileNode.start(test.anvil.rpcUrl);
    try {
      const blockAt = (height: number) =>
        test.anvil.testClient.request({
          method: 'eth_getBlockByNumber',
          params: [`0x${height.toString(16)}`, false],
        } as never);
      const { dataSource, ledger } = test.chains;
      const changes = () => dataSource.query<{ subject: string }[]>('SELECT subject FROM fact_change');
      const telling = async (tag: string, height: number) => {
        const block = await blockAt(height);
        return {
          methods: ['eth_getBlockByNumber'],
          holding: `"${tag}"`,
          fault: lie(`${tag} at ${height}`, () => block),
        };
      };
      await test.mine(10);
      await test.catchUp();
      await test.sendToken(await test.issue('pi_1'), 7n);
      await test.mine(1);
      await test.catchUp();
      await dataSource.query('DELETE FROM fact_change');
      await test.mine(15);
      const final = await Promise.all([telling('finalized', 2), telling('safe', 2)]);
      proxy.plan(final);
      const watcher = test.watcher(proxy.url);
      expect(await watcher.step()).toBe('more');
      expect(await changes()).toEqual([]);
      const { height } = (await ledger.cursor('ethereum'))!;
      proxy.plan([...final, await telling('latest', height)]);
      await watcher.step();
      expect((await ledger.cursor('ethereum'))!.height).toBe(height);
      expect(await changes()).toEqual([{ subject: 'pi_1' }]);
      proxy.honest();
      await test.catchUp();
    } finally {
      await proxy.stop();
    }
  });
});

describeOnNode()('of a payment on a Bitcoin-like network that gets deeper', () => {
  let test: BitcoinTest;
  beforeAll(async () => {
    test = await BitcoinTest.start();
  });
  afterAll(() => test?.stop());

  it('its intent is told below the tip too, where that is half a minute away', async () => {
    await test.node.send({ [await test.issue('pi_long')]: '0.5' });
    await test.node.mine(1);
    await test.catchUp();
    await test.woken();
    await test.node.mine(40);
    const watcher = test.watcher();
    expect(await watcher.step()).toBe('more');
    expect(await test.woken()).toEqual([]);
    const { now } = performance;
    jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 31_000);
    expect(await watcher.step()).toBe('more');
    jest.restoreAllMocks();
    expect(await test.woken()).toEqual(['pi_long']);
    await test.catchUp();
    await test.woken();
  });

  it('its intent is told once while the watcher catches up', async () => {
    await test.node.send({ [await test.issue('pi_wake')]: '0.5' });
    await test.node.mine(1);
    await test.catchUp();
    await test.woken();
    await test.node.mine(40);
    const watcher = test.watcher();
    const woken: string[][] = [];
    while ((await watcher.step()) === 'more') woken.push(await test.woken());
    expect(woken.length).toBeGreaterThan(2);
    expect(woken.slice(0, -1).flat()).toEqual([]);
    expect(woken.at(-1)).toContain('pi_wake');
  });
});
