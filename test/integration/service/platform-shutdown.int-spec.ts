import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { CheckoutIntentsService } from '../../../src/modules/intents/checkout/checkout-intents.service.js';
import { Readiness } from '../../../src/platform/health/readiness.js';
import { Api } from '../../support/api/api.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { HeldTimers } from '../../support/run/held-timers.js';
import { ownMsOf } from '../../support/run/own-time.js';
import { Service } from '../../support/service/service.js';

let database: TestDatabase;
beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database.drop());

/** At which connections are cut. It does not come here: shutdown must not need it. */
const CUT_MS = 10_000;
const PROMPT_MS = 5_000;

async function open(url: string): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage];
  return response.resume();
}

it('stops promptly with a page open, and with one that is being opened while it stops', async () => {
  const service = await Service.start({ databaseUrl: database.url });
  const { key } = await service.shop();
  const { body } = await new Api(service, key).create({
    amount: 10,
    currency: 'CHF',
    idempotencyKey: 'stop-1',
  });
  const events = `${service.config.checkoutUrl}/pay/${body.id}/events`;
  const first = await open(events);
  const firstEnded = once(first, 'end');
  // Told of the present state: from here on nobody but the second request looks the intent up.
  for (let text = ''; !text.includes('data: {');) text += String((await once(first, 'data'))[0]);

  // The second request has passed every guard, and its look-up of the intent ends after the streams were ended.
  const intents = service.app.get(CheckoutIntentsService);
  const exists = intents.exists.bind(intents);
  let proceed = () => {};
  const asked = new Promise<void>((onAsked) => {
    jest.spyOn(intents, 'exists').mockImplementation(async (id) => {
      onAsked();
      await new Promise<void>((resolve) => (proceed = resolve));
      return exists(id);
    });
  });
  const second = open(events).then(async (response) => {
    await once(response, 'end');
    return response.statusCode;
  });
  await asked;

  const deadlines = new HeldTimers((ms) => ms === CUT_MS);
  try {
    const tookMs = await ownMsOf(async () => {
      const closed = service.app.close();
      await firstEnded;
      expect(service.app.get(Readiness).isOpen).toBe(false);
      proceed();
      expect(await second).toBe(200);
      await closed;
    });
    expect(tookMs).toBeLessThan(PROMPT_MS);
  } finally {
    deadlines.restore();
  }
});

it('refuses new work as soon as it stops, and hangs up', async () => {
  const service = await Service.start({ databaseUrl: database.url });
  service.app.get(Readiness).close();
  for (const [path, status] of [
    ['/api/v1/intents', 503],
    ['/health/ready', 503],
    ['/health/live', 200],
  ] as const) {
    const response = await open(service.url + path);
    expect([path, response.statusCode, response.headers.connection]).toEqual([path, status, 'close']);
  }
  await service.app.close();
});
