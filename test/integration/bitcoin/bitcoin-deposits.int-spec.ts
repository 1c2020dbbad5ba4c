import { BitcoinTest } from '../../chain/bitcoin-fixture.js';
import { describeOnNode, TestNode } from '../../support/nodes/litecoind.js';

describeOnNode()('a deposit on a Bitcoin-like network', () => {
  let test: BitcoinTest;

  beforeAll(async () => {
    test = await BitcoinTest.start();
  });
  afterAll(() => test?.stop());

  it('is seen before any block, exact to the atom, and wakes its subject', async () => {
    const address = await test.issue('pi_first');
    await test.woken();
    const { txid } = await test.node.send({ [address]: '0.12345678' });
    expect(await test.catchUp()).toBe('synced');
    expect(await test.transfers('pi_first')).toEqual([
      {
        id: expect.stringMatching(/^tr_/),
        network: test.network.id,
        txid,
        output: expect.stringMatching(/^out:[01]$/),
        asset: test.network.assets[0]?.symbol,
        decimals: 8,
        address,
        amountAtoms: 12_345_678n,
        state: 'mempool',
        blockHeight: null,
        blockHash: null,
        blockTime: null,
        firstSeenAt: expect.any(Date),
        observedAt: expect.any(Date),
        blindSince: null,
        missingSince: null,
        uses: expect.arrayContaining([expect.stringMatching(/^[0-9a-f]{64}:\d+$/)]),
        inPlaceOf: [],
        replacedBy: null,
        superseded: false,
        beforeIssue: false,
        own: false,
      },
    ]);
    expect(await test.woken()).toEqual(['pi_first']);
    await test.catchUp();
    expect(await test.woken()).toEqual([]);
  });

  it('keeps its row and the moment it was first seen when it is mined, and is told at every depth', async () => {
    const [before] = await test.transfers('pi_first');
    const [blockHash] = await test.node.mine();
    await test.catchUp();
    const [after, ...more] = await test.transfers('pi_first');
    expect(more).toEqual([]);
    expect(after).toMatchObject({
      id: before?.id,
      firstSeenAt: before?.firstSeenAt,
      state: 'included',
      blockHeight: await test.node.height(),
      blockHash,
    });
    expect(await test.woken()).toEqual(['pi_first']);
    await test.node.mine();
    await test.catchUp();
    expect(await test.woken()).toEqual(['pi_first']);
  });

  it('that was mined before we saw it is credited all the same', async () => {
    await test.node.send({ [await test.issue('pi_mined')]: '1.00000001' });
    await test.node.mine();
    await test.catchUp();
    expect(await test.transfers('pi_mined')).toMatchObject([
      { state: 'included', amountAtoms: 100_000_001n },
    ]);
  });

  it('is credited for every output of a batched withdrawal, each to its own subject', async () => {
    const [one, two, other] = [
      await test.issue('pi_b1'),
      await test.issue('pi_b1'),
      await test.issue('pi_b2'),
    ];
    const { txid } = await test.node.send({ [one]: '0.1', [other]: '0.2', [two]: '0.3' });
    await test.catchUp();
    await test.node.mine();
    await test.catchUp();
    const paid = async (subject: string) =>
      (await test.transfers(subject)).map(({ amountAtoms, address, txid: id }) => [id, address, amountAtoms]);
    expect((await paid('pi_b1')).sort()).toEqual(
      [
        [txid, one, 10_000_000n],
        [txid, two, 30_000_000n],
      ].sort(),
    );
    expect(await paid('pi_b2')).toEqual([[txid, other, 20_000_000n]]);
  });

  it('is found in every one of the blocks that passed while nobody watched', async () => {
    const address = await test.issue('pi_asleep');
    for (let block = 0; block < 25; block += 1) {
      if (block % 5 === 0) await test.node.send({ [address]: '0.01' });
      await test.node.mine();
    }
    await test.node.send({ [address]: '0.5' });
    test.restart();
    await test.catchUp();
    const found = await test.transfers('pi_asleep');
    expect(found.map(({ state }) => state).sort()).toEqual([...Array<string>(5).fill('included'), 'mempool']);
    expect(found.reduce((sum, { amountAtoms }) => sum + amountAtoms, 0n)).toBe(55_000_000n);
  });

  it('in newly mined coins is not credited', async () => {
    const address = await test.issue('pi_miner');
    await test.node.rpc.call('generatetoaddress', 2, address);
    await test.catchUp();
    expect(await test.transfers('pi_miner')).toEqual([]);
  });
});

describeOnNode()('a node', () => {
  let test: BitcoinTest;

  beforeAll(async () => {
    test = await BitcoinTest.start();
  });
  afterAll(() => test?.stop());

  it('of another chain is not watched', async () => {
    await expect(test.watcher({ chain: 'main' }).step()).rejects.toThrow(
      'serves the chain "regtest", not "main"',
    );
  });

  it('with other credentials is not read, and its password is not told', async () => {
    const rpcUrl = test.node.rpcUrl.replace(/:[^:@]+@/, ':secret@');
    await expect(test.watcher({ rpcUrl }).step()).rejects.toThrow(/^the node answered 401/);
  });

  it('that is still downloading blocks is not begun with', async () => {
    const fresh = await TestNode.start({ funded: false, own: true });
    await test.chains.dataSource.query('DELETE FROM chain_cursor');
    expect(await test.watcher({ rpcUrl: fresh.rpcUrl }).step()).toBe('waiting');
    expect((await test.chains.health.all())[0]?.state).toBe('starting');
    await fresh.stop();
  });
});
