import { DataSource } from 'typeorm';
import { ANYBODYS } from '../../../src/database/by.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { ReviewsService } from '../../../src/modules/intents/review/reviews.service.js';
import { testNetwork } from '../../chain/bitcoin-fixture.js';
import { choose } from '../../support/checkout/choose.js';
import { Staff } from '../../support/dashboard/staff.js';
import { Money } from '../../support/intents/money.js';
import { describeOnNode, type Sent, TestNode } from '../../support/nodes/litecoind.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

/** A buyer has dust become final, and then shows the whole price in the mempool, where it can be spent twice. */
describeOnNode('own-nodes')('an entry of final dust and of a price that nobody has confirmed', () => {
  let node: TestNode;
  let service: Service;
  let merchantId: string;
  let reviewer: Staff;
  beforeAll(async () => {
    node = await TestNode.start({ own: true });
    service = await Service.start({ networks: [testNetwork(node.rpcUrl, { pollIntervalMs: 100 })] });
    ({ merchantId } = await service.shop());
    reviewer = await Staff.of(service, { merchantId, role: 'reviewer' });
  });
  afterAll(async () => {
    await service?.stop();
    await node?.stop();
  });

  const entryOf = (id: string) => service.app.get(ReviewsService).show(ANYBODYS, id);

  async function dustAndPrice(): Promise<{ id: string; dust: string; rest: Sent }> {
    const intents = service.app.get(IntentsService);
    const wanted = { amountMinor: 4_990n, currency: 'CHF', title: null } as const;
    const { intent } = await intents.create(merchantId, { ...wanted, idempotencyKey: null, returnUrl: null });
    const { id: network, assets } = service.config.networks[0]!;
    await choose(service, intent.id, network, assets[0]!.symbol);
    const { depositAddress, cryptoAmount } = await intents.get(merchantId, intent.id);
    const money = new Money(service);
    await node.send({ [depositAddress!]: '0.00005' });
    await eventually(
      () => money.status(intent.id),
      (status) => status === 'pending',
    );
    await money.endWindowIn(intent.id, -1);
    await eventually(
      () => money.status(intent.id),
      (status) => status === 'expired',
    );
    await node.mine(6);
    await eventually(
      () => entryOf(intent.id).catch(() => null),
      (entry) => entry?.final === true,
    );
    const rest = await node.send({ [depositAddress!]: cryptoAmount! });
    const { acceptable } = await eventually(
      () => entryOf(intent.id),
      ({ transfers }) => transfers.length === 2,
    );
    return { id: intent.id, dust: acceptable!.transferIds.join(), rest };
  }

  const formOf = (html: string) => ({
    button: /<button class="button button-main" type="submit">([^<]*)</.exec(html)?.[1],
    answer: /<p class="answer">([^<]*)</.exec(html)?.[1],
  });

  it('is accepted by what is final alone, and says so before, on the button too', async () => {
    const { id, dust } = await dustAndPrice();
    const { html } = await reviewer.get(`/dashboard/review/${id}`);
    expect(formOf(html).button).toMatch(/^Accept 0\.00005\sLTC, CHF\s49\.\d\d short$/);
    expect(formOf(html).answer).toMatch(/^0\.00005\sLTC of 0\.\d+\sLTC arrived: .* are missing/);
    expect(html).toMatch(/0\.\d+\sLTC more came and could still be undone/);
    const accept = /action="[^"]*\/accept">[^]*?<\/form>/.exec(html)?.[0] ?? '';
    expect([...accept.matchAll(/name="seen" value="(\w+)"/g)].map((match) => match[1])).toEqual([dust]);
  });

  it('is not accepted as a whole, and what was to be had for dust stays expired when the rest is spent twice', async () => {
    const { id, rest } = await dustAndPrice();
    const { transferIds } = await entryOf(id);
    const posted = await reviewer.post(`/dashboard/review/${id}/accept`, {
      note: 'it all came',
      seen: [...transferIds],
    });
    expect(posted.status).toBe(409);
    await node.spend(rest, {}, '0.01');
    await node.mine(6);
    await eventually(
      () => service.app.get(DataSource).query('SELECT state FROM transfer WHERE txid = $1', [rest.txid]),
      ([row]: { state: string }[]) => row?.state === 'replaced',
    );
    expect(await new Money(service).status(id)).toBe('expired');
    expect(formOf((await reviewer.get(`/dashboard/review/${id}`)).html).button).toMatch(
      /^Accept 0\.00005\sLTC/,
    );
  });
});
