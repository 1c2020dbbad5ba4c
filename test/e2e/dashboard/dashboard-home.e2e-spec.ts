import { DataSource } from 'typeorm';
import { WebhooksService } from '../../../src/modules/webhooks/webhooks.service.js';
import { Staff } from '../../support/dashboard/staff.js';
import { by } from '../../support/intents/by.js';
import { applyAllChanges } from '../../support/intents/decided.js';
import { Money } from '../../support/intents/money.js';
import { settledAt } from '../../support/intents/settled-at.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { withinOneDay } from '../../support/run/one-day.js';
import { eventually, Receiver } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

let anvil: TestAnvil;
let service: Service;
let money: Money;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  await anvil.testClient.mine({ blocks: 70 }); // so that block 1 is final
  service = await Service.start({ chain: anvil });
  money = new Money(service);
});
afterAll(async () => {
  await service.stop();
  await anvil.stop();
});

const homeOf = async (merchantId: string, query = '') =>
  (await (await Staff.of(service, { merchantId, role: 'owner' })).get(`/dashboard${query}`)).html;

it('leads a new merchant to its first payment', async () => {
  const { merchantId } = await service.shop();
  const html = await homeOf(merchantId);
  expect(html).toContain('Until the first payment');
  expect(html).not.toContain('Needs attention');
  expect(html).not.toContain('Settled in the last');
});

it('shows what was settled, per currency, with a chart and its table', () =>
  withinOneDay(async () => {
    const { merchantId } = await service.shop();
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push(await money.picked(merchantId));
    for (const id of ids) await money.record(id);
    await applyAllChanges(service);
    // On one day there is nothing to compare.
    expect(await homeOf(merchantId, '?days=7')).not.toContain('<svg viewBox="0 0 7 100"');
    for (const [days, id] of ids.entries())
      await settledAt(service.app.get(DataSource), id, `settled_at - make_interval(days => ${days})`);
    const html = await homeOf(merchantId, '?days=7');
    expect(html).not.toContain('Until the first payment');
    expect(html).toContain('Settled in the last 7 days');
    expect(html).toContain('<dt>CHF</dt><dd>30.00</dd><dd class="quiet">3 payments</dd>');
    expect(html).toContain('3 of 3 payments');
    expect(html).toMatch(/<svg viewBox="0 0 7 100"[^>]*>\s*<rect x="4.1" y="0" width="0.8" height="100">/);
    expect(html).toContain('<figcaption>CHF settled per day (UTC)</figcaption>');
    expect(html).not.toContain('<dt>EUR</dt>');
  }));

it('says first what waits for somebody: money, and an endpoint that does not answer', async () => {
  const { merchantId } = await service.shop();
  const receiver = await Receiver.start(); // knows no secret, so it refuses everything
  const { endpoint } = await service.app
    .get(WebhooksService)
    .createEndpoint({ merchantId, url: receiver.url }, by('test'));
  const id = await money.picked(merchantId);
  await money.record(id, { percent: 60 });
  await money.endWindowIn(id, -1);
  await applyAllChanges(service);
  const owner = await Staff.of(service, { merchantId, role: 'owner' });
  const { html } = await eventually(
    () => owner.get('/dashboard'),
    (page) => page.html.includes('A webhook endpoint is failing'),
  );
  expect(html).toContain('1 payment waits for your decision');
  expect(html).toContain(`/dashboard/developers/webhooks/${endpoint.id}`);
  // As many as its own page says: what was not tried yet waits too.
  const untried =
    'UPDATE delivery SET attempts = 0, delayed = false WHERE id = (SELECT min(id) FROM delivery WHERE endpoint_id = $1)';
  await service.app.get(DataSource).query(untried, [endpoint.id]);
  const [home, own] = [
    await owner.get('/dashboard'),
    await owner.get(`/dashboard/developers/webhooks/${endpoint.id}`),
  ];
  const [, atHome = ''] = /(\d+) events? waits? for it\./.exec(home.html) ?? [];
  expect(Number(atHome)).toBeGreaterThan(1);
  expect(own.html).toMatch(new RegExp(`<dt>Waiting</dt><dd>${atHome}</dd>`));
  const { merchantId: other } = await service.shop();
  expect(await homeOf(other)).not.toContain('Needs attention');
  await receiver.stop();
});
