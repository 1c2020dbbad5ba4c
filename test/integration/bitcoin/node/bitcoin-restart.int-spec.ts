import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { IntentsService } from '../../../../src/modules/intents/lifecycle/intents.service.js';
import { PaymentDetailsService } from '../../../../src/modules/intents/reporting/payment-details.service.js';
import { testNetwork } from '../../../chain/bitcoin-fixture.js';
import { choose } from '../../../support/checkout/choose.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database/database.js';
import { Money } from '../../../support/intents/money.js';
import { describeOnNode, TestNode } from '../../../support/nodes/litecoind.js';
import { eventually } from '../../../support/servers/receiver.js';
import { Service } from '../../../support/service/service.js';

describeOnNode('own-nodes')(
  'a restart that takes no longer than a network counts as watched without a look',
  () => {
    let node: TestNode;
    let database: TestDatabase;
    beforeAll(async () => {
      node = await TestNode.start({ own: true });
      database = await createTestDatabase();
    });
    afterAll(async () => {
      await node?.stop();
      await database?.drop();
    });

    const start = () =>
      Service.start({
        databaseUrl: database.url,
        networks: [testNetwork(node.rpcUrl, { pollIntervalMs: 100 })],
      });

    it('makes nobody late whose money was mined in time meanwhile', async () => {
      const before = await start();
      const { merchantId } = await before.shop();
      const intents = before.app.get(IntentsService);
      const wanted = { amountMinor: 4_990n, currency: 'CHF', title: null } as const;
      const { intent } = await intents.create(merchantId, {
        ...wanted,
        idempotencyKey: null,
        returnUrl: null,
      });
      const { id: network, assets } = before.config.networks[0]!;
      await choose(before, intent.id, network, assets[0]!.symbol);
      const { depositAddress, cryptoAmount } = await intents.get(merchantId, intent.id);
      await before.stop();
      // Headers tell whole seconds: this one is to be of a moment after the last look.
      await sleep(1_100);
      await node.send({ [depositAddress!]: cryptoAmount! });
      await node.mine();
      const onDatabase = await new DataSource({ type: 'postgres', url: database.url }).initialize();
      const header = await node.rpc.call<{ time: number }>(
        'getblockheader',
        await node.rpc.call<string>('getbestblockhash'),
      );
      await onDatabase.query(
        `UPDATE intent SET expires_at = ends, created_at = ends - interval '15 minutes'
           FROM (SELECT to_timestamp($2) + interval '1 ms' AS ends) w WHERE id = $1`,
        [intent.id, header.time],
      );
      await onDatabase.destroy();
      const after = await start();
      try {
        const money = new Money(after);
        const found = () => after.app.get(PaymentDetailsService).get(merchantId, intent.id);
        const [transfer] = (
          await eventually(found, ({ transfers }) => transfers.some(({ state }) => state === 'included'))
        ).transfers;
        expect(transfer!.firstSeenAt.getTime()).toBeGreaterThan(header.time * 1_000 + 1);
        await node.mine(8);
        await eventually(
          () => money.status(intent.id),
          (status) => status === 'settled',
        );
      } finally {
        await after.stop();
      }
    });
  },
);
