import { CoreRpc } from '../../../../src/modules/chains/bitcoin/core-rpc.js';
import { BitcoinTest } from '../../../chain/bitcoin-fixture.js';
import { askedBy } from '../../../support/database/asked.js';
import { fillRows } from '../../../support/database/fill-rows.js';
import { describeOnNode } from '../../../support/nodes/litecoind.js';

describeOnNode()('a block of a Bitcoin-like network', () => {
  let test: BitcoinTest;

  beforeAll(async () => {
    test = await BitcoinTest.start();
  });
  afterAll(() => test?.stop());

  it('costs as many statements and requests with 10 addresses as with 10,000 and with 100,000', async () => {
    test.leaveUncompared('a hundred thousand of its addresses are no addresses to a node');
    const ours = await test.issue('pi_counted');
    const cost = async (): Promise<{ statements: number; requests: number }> => {
      await test.node.send({ [ours]: '0.01' });
      await test.node.mine();
      const batch = jest.spyOn(CoreRpc.prototype, 'batch');
      const { length: statements } = await askedBy(() => test.catchUp());
      const { length: requests } = batch.mock.calls;
      batch.mockRestore();
      return { statements, requests };
    };
    await cost();
    const few = await cost();
    for (const [from, to] of [
      [1, 10_000],
      [10_001, 100_000],
    ]) {
      await fillRows(
        test.chains.dataSource,
        `INSERT INTO address (family, address, extended_key_id, derivation_index, subject)
         SELECT $1, 'none' || i, (SELECT id FROM extended_key), 1000 + i, 'pi_' || i
           FROM generate_series($2::int, $3::int) i`,
        [test.network.family, from, to],
      );
      expect(await cost()).toEqual(few);
    }
    expect(few.statements).toBeLessThan(25);
  });
});
