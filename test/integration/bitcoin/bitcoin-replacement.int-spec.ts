import { sumCountingBy } from '../../../src/modules/intents/domain/observed.js';
import { BitcoinTest } from '../../chain/bitcoin-fixture.js';
import { describeOnNode } from '../../support/nodes/litecoind.js';

describeOnNode()('a transaction that is replaced', () => {
  let test: BitcoinTest;

  beforeEach(async () => {
    test = await BitcoinTest.start();
  });
  afterEach(() => test?.stop());

  const seen = async (subject: string) =>
    (await test.transfers(subject)).map(({ state, amountAtoms }) => [state, amountAtoms]);

  it('by one that pays elsewhere is missing at once, and replaced once the other is mined', async () => {
    const sent = await test.node.send({ [await test.issue('pi_1')]: '0.5' });
    await test.catchUp();
    await test.woken();
    await test.node.spend(sent, { [await test.node.newAddress()]: '0.5' }, '0.01');
    await test.catchUp();
    const [missing] = await test.transfers('pi_1');
    expect(missing).toMatchObject({ state: 'orphaned', missingSince: expect.any(Date) as Date });
    expect(await test.woken()).toEqual(['pi_1']);
    await test.node.mine();
    await test.catchUp();
    expect(await test.transfers('pi_1')).toMatchObject([{ state: 'replaced', missingSince: null }]);
    expect(await test.woken()).toEqual(['pi_1']);
  });

  it('is replaced only when the conflict has the confirmation depth', async () => {
    const deep = await BitcoinTest.start({ confirmationDepth: 3 });
    const sent = await deep.node.send({ [await deep.issue('pi_1')]: '0.5' });
    await deep.catchUp();
    await deep.node.spend(sent, {}, '0.01');
    const states: string[] = [];
    for (let depth = 1; depth <= 3; depth += 1) {
      await deep.node.mine();
      await deep.catchUp();
      states.push(...(await deep.states('pi_1')));
    }
    expect(states).toEqual(['orphaned', 'orphaned', 'replaced']);
    await deep.stop();
  });

  it('is told from a double spend that we learn of only from its block, also after a restart', async () => {
    const sent = await test.node.send({ [await test.issue('pi_1')]: '0.5' });
    await test.catchUp();
    test.restart();
    await test.node.spend(sent, {}, '0.01');
    await test.node.mine(3);
    await test.catchUp();
    expect(await test.states('pi_1')).toEqual(['replaced']);
  });

  it('by one with a higher fee to the same address is credited once, as first seen', async () => {
    const address = await test.issue('pi_1');
    const sent = await test.node.send({ [address]: '0.5' });
    await test.catchUp();
    const [first] = await test.transfers('pi_1');
    const txid = await test.node.spend(sent, { [address]: '0.5' }, '0.01');
    await test.catchUp();
    const [one, two, ...more] = await test.transfers('pi_1');
    expect(more).toEqual([]);
    expect([one, two].map((transfer) => transfer?.state).sort()).toEqual(['mempool', 'orphaned']);
    const lost = [one, two].find((transfer) => transfer?.state === 'orphaned');
    expect(lost).toMatchObject({ superseded: true, replacedBy: txid });
    const live = [one, two].find((transfer) => transfer?.state === 'mempool');
    expect(live?.txid).toBe(txid);
    expect(sumCountingBy([live!], first!.observedAt)).toBe(50_000_000n);
    await test.node.mine();
    await test.catchUp();
    const states = new Map((await test.transfers('pi_1')).map((transfer) => [transfer.txid, transfer.state]));
    expect(states).toEqual(
      new Map([
        [sent.txid, 'replaced'],
        [txid, 'included'],
      ]),
    );
  });

  it('inherits the first moment over two replacements, the last of them seen in a block only', async () => {
    const address = await test.issue('pi_1');
    const sent = await test.node.send({ [address]: '0.5' });
    await test.catchUp();
    const [first] = await test.transfers('pi_1');
    await test.node.spend(sent, { [address]: '0.4' }, '0.01');
    await test.catchUp();
    const txid = await test.node.spend(sent, { [address]: '0.3' }, '0.02');
    await test.node.mine();
    await test.catchUp();
    const transfers = await test.transfers('pi_1');
    const last = transfers.find((transfer) => transfer.txid === txid);
    expect(last).toMatchObject({ state: 'included', amountAtoms: 30_000_000n });
    expect(sumCountingBy([last!], first!.observedAt)).toBe(30_000_000n);
    expect(transfers.filter(({ state }) => state !== 'replaced')).toHaveLength(1);
  });

  it('leaves missing what the replacement no longer pays, and credits what it does', async () => {
    const [kept, dropped] = [await test.issue('pi_kept'), await test.issue('pi_dropped')];
    const sent = await test.node.send({ [kept]: '0.5', [dropped]: '0.25' });
    await test.catchUp();
    await test.node.spend(sent, { [kept]: '0.5' }, '0.01');
    await test.catchUp();
    expect((await seen('pi_kept')).sort()).toEqual([
      ['mempool', 50_000_000n],
      ['orphaned', 50_000_000n],
    ]);
    expect(await seen('pi_dropped')).toEqual([['orphaned', 25_000_000n]]);
  });

  it('by one that pays more hands on its own amount, over dust twice and to two outputs as well', async () => {
    const address = await test.issue('pi_1');
    const sent = await test.node.send({ [address]: '0.0001' });
    await test.catchUp();
    const [first] = await test.transfers('pi_1');
    await test.node.spend(sent, { [address]: '0.0002' }, '0.01');
    await test.catchUp();
    const second = (await test.transfers('pi_1')).find(({ state }) => state === 'mempool');
    expect(sumCountingBy([second!], first!.observedAt)).toBe(10_000n);
    const txid = await test.node.spend(sent, { [address]: '0.5' }, '0.02');
    await test.catchUp();
    const last = (await test.transfers('pi_1')).find((transfer) => transfer.txid === txid);
    expect(last?.state).toBe('mempool');
    const by = [first!, second!, last!].map(({ observedAt }) => sumCountingBy([last!], observedAt));
    expect(by).toEqual([10_000n, 20_000n, 50_000_000n]);
    expect(last?.observedAt.getTime()).toBeGreaterThan(second?.observedAt.getTime() ?? Infinity);
  });

  it('by one that pays elsewhere hands nothing on to a third that pays again', async () => {
    const address = await test.issue('pi_1');
    const sent = await test.node.send({ [address]: '0.5' });
    await test.catchUp();
    const elsewhere = await test.node.spend(sent, {}, '0.01');
    await test.catchUp();
    expect(await test.transfers('pi_1')).toMatchObject([
      { state: 'orphaned', replacedBy: elsewhere, superseded: false },
    ]);
    const txid = await test.node.spend(sent, { [address]: '0.5' }, '0.02');
    await test.catchUp();
    const transfers = await test.transfers('pi_1');
    expect(transfers.find((transfer) => transfer.txid === txid)).toMatchObject({
      state: 'mempool',
      inPlaceOf: [],
    });
    expect(transfers.filter(({ superseded }) => !superseded)).toHaveLength(1);
  });

  it('and mined after all, on another chain, is credited again', async () => {
    const sent = await test.node.send({ [await test.issue('pi_1')]: '0.5' });
    const hex = await test.node.rpc.call<string>('getrawtransaction', sent.txid);
    await test.catchUp();
    await test.node.spend(sent, {}, '0.01');
    const [conflictBlock] = await test.node.mine();
    await test.catchUp();
    expect(await test.states('pi_1')).toEqual(['replaced']);
    await test.node.rpc.call('invalidateblock', conflictBlock);
    // A miner who prefers the first transaction, whatever the mempool holds.
    const miner = await test.node.newAddress();
    await test.node.rpc.call('generateblock', miner, [hex]);
    await test.node.rpc.call('generateblock', miner, []);
    await test.catchUp();
    expect(await test.states('pi_1')).toEqual(['included']);
  });
});
