import { ANYBODYS } from '../../../src/database/by.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { Api } from '../../support/api/api.js';
import { endWindowIn } from '../../support/api/api-windows.js';
import { by } from '../../support/intents/by.js';
import { Service } from '../../support/service/service.js';

let service: Service;
let api: Api;

beforeAll(async () => {
  service = await Service.start();
  api = new Api(service, (await service.shop()).key);
});
afterAll(() => service.stop());

const create = async (returnUrl?: string) =>
  (await api.create({ amount: 1, currency: 'CHF', returnUrl })).body;
const follow = (checkoutUrl: string) => fetch(`${checkoutUrl}/return`, { redirect: 'manual' });

it('offers the way back to the merchant where a returnUrl was set, and only there', async () => {
  const [withUrl, without] = [await create('https://shop.example/thanks'), await create()];
  const link = (id: string) => `href="/pay/${id}/return"`;
  const page = await (await fetch(withUrl.checkoutUrl)).text();
  expect(page).toContain(link(withUrl.id));
  expect(page).toContain('id="go-return"');
  const other = await (await fetch(without.checkoutUrl)).text();
  expect(other).not.toContain(link(without.id));
  expect((await follow(without.checkoutUrl)).status).toBe(404);
});

it.each([
  ['https://shop.example', 'https://shop.example?'],
  ['https://shop.example/thanks', 'https://shop.example/thanks?'],
  ['https://shop.example/thanks?order=1', 'https://shop.example/thanks?order=1&'],
  ['https://shop.example/%zz?a=%C3%BC', 'https://shop.example/%zz?a=%C3%BC&'],
  ['HTTPS://SHOP.example:443/a/../b?c={d}|^', 'HTTPS://SHOP.example:443/a/../b?c={d}|^&'],
  ['https://xn--kse-qla.example', 'https://xn--kse-qla.example?'],
])('sends the buyer from %s back with the id and the status appended', async (returnUrl, start) => {
  const { id, checkoutUrl } = await create(returnUrl);
  const response = await follow(checkoutUrl);
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toBe(`${start}service_intent=${id}&status=initiated`);
});

it.each([
  ['https://käse.example', 'ASCII'],
  ['https://shop.example/?status=mine', 'service_intent or status'],
  ['https://shop.example/?service_intent=mine', 'service_intent or status'],
])('refuses %s at once, which would not come back as it was sent', async (returnUrl, why) => {
  const { status, body } = await api.create({ amount: 1, currency: 'CHF', returnUrl });
  expect([status, body.errors?.[0]?.pointer]).toEqual([400, '/returnUrl']);
  expect(body.errors?.[0]?.detail).toContain(why);
});

it('keeps the fragment behind what it appends', async () => {
  const { id, checkoutUrl } = await create('https://shop.example/a?b=c#top');
  expect((await follow(checkoutUrl)).headers.get('location')).toBe(
    `https://shop.example/a?b=c&service_intent=${id}&status=initiated#top`,
  );
});

it('tells the status of the moment of the return', async () => {
  const [cancelled, lapsed] = [await create('https://shop.example/'), await create('https://shop.example/')];
  await service.app
    .get(IntentsService)
    .cancel({ whose: ANYBODYS, id: cancelled.id, by: by('ann') }, 'cancelled-by-operator');
  await endWindowIn(service, lapsed.id, -1);
  expect((await follow(cancelled.checkoutUrl)).headers.get('location')).toMatch(/&status=cancelled$/);
  expect((await follow(lapsed.checkoutUrl)).headers.get('location')).toMatch(/&status=expired$/);
});

it('changes nothing by a return: the read remains the word that counts', async () => {
  const { id, checkoutUrl } = await create('https://shop.example/');
  await follow(checkoutUrl);
  expect((await api.get(id)).body).toMatchObject({ status: 'initiated', settledAt: null });
});
