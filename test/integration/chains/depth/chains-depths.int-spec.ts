import { BUYER, ChainTest } from '../../../chain/chains-fixture.js';

const DEPTHS = Array.from({ length: 12 }, (_, i) => i + 1);

describe('a reorganisation', () => {
  let test: ChainTest;

  beforeAll(async () => {
    test = await ChainTest.start();
  });
  afterAll(() => test?.stop());

  const states = async (subject: string) => (await test.transfers(subject)).map(({ state }) => state);

  /** Two deposits in the first of `depth` blocks, and one in the block before, which is not touched. */
  async function deposited(subject: string, depth: number) {
    const below = `${subject}_below`;
    await test.send(await test.issue(below), '0.1');
    await test.mine();
    const to = await test.issue(subject);
    const nonce = await test.anvil.testClient.getTransactionCount({ address: BUYER });
    const txids = [await test.send(to, '0.5'), await test.sendToken(to, 7_000_000n)];
    await test.mine(depth);
    expect(await test.catchUp()).toBe('synced');
    return { below, to, nonce, txids, before: await test.transfers(subject) };
  }

  it.each(DEPTHS)(
    'of %s blocks leaves their deposits missing, and takes the same rows back',
    async (depth) => {
      const subject = `pi_dropped_${depth}`;
      const { below, to, txids, before } = await deposited(subject, depth);
      const raw = await Promise.all(txids.map((txid) => test.rawTransaction(txid)));
      await test.reorganise(depth);
      await test.catchUp();
      expect(await states(subject)).toEqual(['orphaned', 'orphaned']);
      expect(await states(below)).toEqual(['included']);
      await test.reorganise(
        1,
        raw.map((transaction) => [transaction, 0] as const),
      );
      await test.catchUp();
      const after = await test.transfers(subject);
      expect(after.map(({ state }) => state)).toEqual(['included', 'included']);
      expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
      const coin = after.find(({ asset }) => asset === 'ETH');
      expect(coin?.amountAtoms).toBe(await test.anvil.testClient.getBalance({ address: to }));
    },
  );

  it.each(DEPTHS)(
    'of %s blocks whose chain pays others with the same nonces replaces them',
    async (depth) => {
      const subject = `pi_replaced_${depth}`;
      const { below, nonce } = await deposited(subject, depth);
      const elsewhere = `pi_elsewhere_${depth}`;
      const to = await test.issue(elsewhere);
      const other = (at: number) => ({
        from: BUYER,
        to,
        value: '0x5',
        nonce: `0x${(nonce + at).toString(16)}`,
      });
      await test.reorganise(depth, [
        [other(0) as never, 0],
        [other(1) as never, 0],
      ]);
      // Of the newest block a node may tell nonces too early.
      if (depth === 1) await test.mine();
      await test.catchUp();
      expect(await states(subject)).toEqual(['replaced', 'replaced']);
      expect(await states(elsewhere)).toEqual(['included', 'included']);
      expect(await states(below)).toEqual(['included']);
    },
  );
});
