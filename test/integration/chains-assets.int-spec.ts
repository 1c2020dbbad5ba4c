import { ChainTest } from '../chain/chains-fixture.js';

let test: ChainTest;

beforeAll(async () => {
  test = await ChainTest.start();
});
afterAll(() => test?.stop());

const amounts = async (subject: string) =>
  (await test.transfers(subject)).map(({ amountAtoms }) => amountAtoms);
const closed = async () => (await test.chains.service.health())[0]!.closedAssets;

describe('an asset that the leader does not know', () => {
  it('is closed while the cursor passes it by, caught up by one that knows it, and then open', async () => {
    const assets = test.network.assets.filter(({ symbol }) => symbol !== 'USDT');
    const [old, current] = [test.watcher(test.anvil.rpcUrl, { assets }), test.watcher()];
    const to = await test.issue('pi_1');
    await test.sendToken(to, 7n, test.anvil.tokens.USDT.address);
    await test.sendToken(to, 9n);
    await test.mine(60);
    await test.catchUp(old);
    expect(await amounts('pi_1')).toEqual([9n]);
    expect(await closed()).toEqual({ USDT: 'catching-up' });
    await test.catchUp(current);
    expect(await closed()).toEqual({});
    expect([...(await amounts('pi_1'))].sort()).toEqual([7n, 9n]);
    expect((await test.chains.service.changes(10)).map(({ subject }) => subject)).toContain('pi_1');
  });

  it('and that is the coin is caught up without being credited twice', async () => {
    const assets = test.network.assets.filter(({ contract }) => contract !== null);
    const to = await test.issue('pi_2');
    await test.mine();
    await test.catchUp();
    await test.send(to, '0.5');
    await test.mine(3);
    await test.catchUp(test.watcher(test.anvil.rpcUrl, { assets }));
    expect(await closed()).toEqual({ ETH: 'catching-up' });
    await test.catchUp();
    await test.mine(2);
    await test.catchUp();
    expect(await amounts('pi_2')).toEqual([500_000_000_000_000_000n]);
    expect(await closed()).toEqual({});
  });

  it('is caught up anew from where a reorganisation left the cursor', async () => {
    const assets = test.network.assets.filter(({ symbol }) => symbol !== 'USDT');
    const old = test.watcher(test.anvil.rpcUrl, { assets });
    const to = await test.issue('pi_3');
    await test.mine(3);
    await test.catchUp();
    await test.reorganise(2);
    await test.sendToken(to, 3n, test.anvil.tokens.USDT.address);
    await test.mine(2);
    await test.catchUp(old);
    expect(await amounts('pi_3')).toEqual([]);
    await test.catchUp();
    expect(await amounts('pi_3')).toEqual([3n]);
  });
});

describe('an asset that is new to the list', () => {
  it('begins where the cursor stands, and is closed until then', async () => {
    await test.chains.dataSource.query('DELETE FROM cursor_asset WHERE asset_key = $1', [
      test.anvil.tokens.USDC.address.toLowerCase(),
    ]);
    expect(await closed()).toEqual({ USDC: 'catching-up' });
    await test.mine();
    await test.catchUp();
    expect(await closed()).toEqual({});
  });
});
