import { ReconciliationService } from '../../../src/modules/chains/reconciliation/reconciliation.service.js';
import { BitcoinTest } from '../../chain/bitcoin-fixture.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import { presentTerm } from '../../chain/term.js';
import { describeOnNode } from '../../support/nodes/litecoind.js';

describeOnNode()('a Bitcoin-like network compared with a node that has pruned old blocks', () => {
  let test: BitcoinTest;
  let proxy: HostileNode;
  let reconciliation: ReconciliationService;

  beforeAll(async () => {
    test = await BitcoinTest.start({ settlementDepths: [1, 2, 3, 3] });
    test.leaveUncompared('its node is said to have pruned blocks');
    proxy = await HostileNode.start(test.node.rpcUrl);
    reconciliation = test.chains.app.get(ReconciliationService, { strict: false });
    Object.assign(test.network, { rpcUrl: proxy.url });
  });
  afterAll(async () => {
    await test?.stop();
    await proxy?.stop();
  });

  const query = <T>(sql: string, values?: unknown[]): Promise<T> =>
    test.chains.dataSource.query<T>(sql, values);
  const received = async (subject: string) =>
    (await test.transfers(subject)).map(({ amountAtoms }) => amountAtoms);

  async function bury(blocks = 3): Promise<void> {
    await test.node.mine(blocks);
    await test.catchUp();
  }

  /** A payment to a new address, in a block that the watcher is told that it has seen. */
  async function payPastTheWatcher(subject: string, coins: string): Promise<void> {
    await test.node.send({ [await test.issue(subject)]: coins });
    await test.node.mine();
    const height = await test.node.height();
    const hash = await test.node.rpc.call<string>('getblockhash', height);
    await query('UPDATE chain_cursor SET height = $1, hash = $2', [height, hash]);
    await query('UPDATE cursor_asset SET covered_height = $1', [height]);
    await query('INSERT INTO chain_block (network, height, hash) VALUES ($1, $2, $3)', [
      test.network.id,
      height,
      hash,
    ]);
    test.restart();
    await bury();
  }

  /** The daily round, which begins where the one before has ended. @returns the blocks that were read */
  async function nextRound(): Promise<number> {
    await query(`UPDATE reconciliation SET round_started_at = round_started_at - interval '2 days'`);
    const before = proxy.timesAsked('getblock');
    const term = await presentTerm(test.chains.dataSource, test.network.id);
    while (await reconciliation.step(term));
    return proxy.timesAsked('getblock') - before;
  }

  async function prune(upTo: number): Promise<void> {
    const gone = new Set<string>();
    for (let height = 0; height < upTo; height += 1)
      gone.add(await test.node.rpc.call<string>('getblockhash', height));
    proxy.plan([
      {
        methods: ['getblock'],
        asking: ({ params }) => gone.has(params[0] as string),
        fault: { kind: 'refuse', code: -1, message: 'Block not available (pruned data)' },
      },
    ]);
  }

  it('compares what it still has, says how much it has not, and goes on there the next day', async () => {
    await test.node.send({ [await test.issue('pi_first')]: '0.5' });
    await bury(40);
    await payPastTheWatcher('pi_late', '0.25');
    const tip = await test.node.height();
    await prune(tip - 10);
    const verdict = (await reconciliation.check())[0]!;
    // By the unspent outputs, and by the block.
    const kinds = verdict.differences.map(({ kind }) => kind);
    expect([verdict.verdict, kinds]).toEqual(['different', ['unrecorded', 'unrecorded']]);
    expect(verdict.incomparable['blocks that the node has pruned']).toBeGreaterThan(30);
    await nextRound();
    expect([await received('pi_first'), await received('pi_late')]).toEqual([[50_000_000n], [25_000_000n]]);
    await query(`UPDATE chain_difference SET seen_at = seen_at - interval '6 minutes'`);
    await nextRound();
    expect(await reconciliation.differences(test.network.id)).toEqual([]);
    await payPastTheWatcher('pi_again', '0.125');
    // The block of the payment, those that were mined upon it, and the same again to write it down.
    expect(await nextRound()).toBeLessThan(10);
    expect(await received('pi_again')).toEqual([12_500_000n]);
  });
});
