import { CheckedBitcoinNode } from '../../../../src/modules/chains/bitcoin/checked-bitcoin-node.js';
import { CoreNode } from '../../../../src/modules/chains/bitcoin/core-node.js';
import { CoreRpc } from '../../../../src/modules/chains/bitcoin/core-rpc.js';
import { ReconciliationService } from '../../../../src/modules/chains/reconciliation/reconciliation.service.js';
import { BitcoinTest } from '../../../chain/bitcoin-fixture.js';
import { lie } from '../../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../../chain/hostile/hostile-node.js';
import type { Rule } from '../../../chain/hostile/hostile-plan.js';
import { describeOnNode } from '../../../support/nodes/litecoind.js';

interface RawBlock {
  readonly height: number;
  readonly tx: readonly {
    readonly txid: string;
    readonly vin: readonly Record<string, unknown>[];
    readonly vout: readonly unknown[];
  }[];
}

/** What is told of each transaction that mined nothing; a hash ties none of it to the block here. */
const ofBlocks = (name: string, told: (block: RawBlock) => RawBlock): Rule => ({
  methods: ['getblock'],
  fault: lie(name, (block) => told(block as RawBlock)),
});
const ofTransactions = (name: string, told: (tx: RawBlock['tx'][number]) => RawBlock['tx']): Rule =>
  ofBlocks(name, (block) => ({
    ...block,
    tx: block.tx.flatMap((tx) => ('coinbase' in (tx.vin[0] ?? {}) ? [tx] : told(tx))),
  }));

describeOnNode()('of two Bitcoin-like nodes', () => {
  let test: BitcoinTest;
  let first: HostileNode;
  let second: HostileNode;

  beforeAll(async () => {
    test = await BitcoinTest.start();
    first = await HostileNode.start(test.node.rpcUrl);
    second = await HostileNode.start(test.node.rpcUrl);
  });
  beforeEach(() => {
    first.honest();
    second.honest();
  });
  afterAll(async () => {
    await Promise.all([first?.stop(), second?.stop()]);
    await test?.stop();
  });

  const checked = () =>
    new CheckedBitcoinNode(new CoreNode(new CoreRpc(first.url)), new CoreNode(new CoreRpc(second.url)));
  const scriptOf = async (address: string) =>
    (await test.node.rpc.call<{ scriptPubKey: string }>('validateaddress', address)).scriptPubKey;
  const atoms = async (subject: string) =>
    (await test.transfers(subject)).map(({ amountAtoms }) => amountAtoms);

  const LIES: Readonly<Record<string, (script: string) => Rule>> = {
    'that something was paid which was not': (script) =>
      ofTransactions('an output more', (tx) => [
        { ...tx, vout: [...tx.vout, { n: 99, value: 7.5, scriptPubKey: { hex: script } }] },
      ]),
    'that nothing was paid which was': () => ofTransactions('no transactions', () => []),
    'that something was spent which was not': () =>
      ofTransactions('an input more', (tx) => [
        { ...tx, vin: [...tx.vin, { txid: 'ab'.repeat(32), vout: 0, txinwitness: [] }] },
      ]),
  };

  describe.each([
    { liar: 'the first', of: () => first },
    { liar: 'the second', of: () => second },
  ])('while $liar', ({ liar, of }) => {
    it.each(Object.entries(LIES))('says %s, nothing is credited and it is said', async (name, told) => {
      const subject = `pi_${liar} ${name}`;
      const address = await test.issue(subject);
      await test.catchUp();
      await test.node.send({ [address]: '0.5' });
      await test.node.mine(1);
      const before = await test.chains.ledger.cursor(test.network.id);
      of().plan([told(await scriptOf(address))]);
      const node = checked();
      await expect(test.catchUp(test.watcherOn(node))).rejects.toThrow('do not agree about what is in block');
      expect(node.verdict).toBe('disagrees');
      expect((await test.chains.ledger.cursor(test.network.id))!.height).toBe(before!.height);
      expect(await atoms(subject)).toEqual([]);
      of().honest();
      await test.catchUp(test.watcherOn(checked()));
      expect(await atoms(subject)).toEqual([50_000_000n]);
    });

    it('says that something was sent which was not, no refund is found', async () => {
      const home = await test.node.newAddress();
      const sought = [{ to: home, atoms: 12_345_678n }];
      const { txid } = await test.node.send({ [await test.node.newAddress()]: '0.5' });
      await test.node.mine(1);
      const height = await test.node.height();
      of().plan([
        ofBlocks('an output more', (block) => ({
          ...block,
          tx: block.tx.map((tx) =>
            tx.txid === txid
              ? {
                  ...tx,
                  vout: [
                    ...tx.vout,
                    {
                      n: 98,
                      value: 0.12345678,
                      scriptPubKey: { hex: '00', addresses: [home], address: home },
                    },
                  ],
                }
              : tx,
          ),
        })),
      ]);
      await expect(checked().sentAt(height, sought)).rejects.toThrow('do not agree about what block');
      of().honest();
      expect((await checked().sentAt(height, sought)).found).toEqual([[]]);
    });

    it('leaves out a payment, a comparison does not call it clean', async () => {
      const subject = `pi_${liar} compared`;
      await test.node.send({ [await test.issue(subject)]: '0.5' });
      // As deep as a comparison looks.
      await test.node.mine(30);
      await test.catchUp();
      const { rpcUrl } = test.network;
      of().plan([LIES['that nothing was paid which was']!('')]);
      Object.assign(test.network, { rpcUrl: first.url, secondRpcUrl: second.url });
      try {
        const reconciliation = test.chains.app.get(ReconciliationService, { strict: false });
        expect(await reconciliation.check(test.network.id)).toMatchObject([
          { verdict: 'unasked', reason: expect.stringContaining('do not agree about') as string },
        ]);
        of().honest();
        expect(await reconciliation.check(test.network.id)).toMatchObject([{ verdict: 'clean' }]);
      } finally {
        Object.assign(test.network, { rpcUrl, secondRpcUrl: undefined });
      }
    });
  });
});
