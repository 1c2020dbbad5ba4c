import { createRequire } from 'node:module';
import { inPieces } from '../../../src/kernel/lookups.js';
import { Api } from '../../support/api/api.js';
import { Service } from '../../support/service/service.js';

const NAUGHTY = createRequire(import.meta.url)('big-list-of-naughty-strings/blns.json') as string[];
const AT_ONCE = 8;
/** In pieces, each of a few hundred requests. */
const PIECE = 100;
const PIECES = inPieces(NAUGHTY, PIECE).map((piece, at) => ({ first: at * PIECE, piece }));

let service: Service;
let api: Api;

beforeAll(async () => {
  const PLENTY = '100000';
  service = await Service.start({
    env: { RATE_LIMIT_WRITES_PER_MINUTE: PLENTY, RATE_LIMIT_READS_PER_MINUTE: PLENTY },
  });
  api = new Api(service, (await service.shop()).key);
});
afterAll(() => service.stop());

/** Some at a time; the message of a failure names the string. */
async function forEach(piece: readonly string[], check: (text: string) => Promise<void>): Promise<void> {
  const rest = [...piece];
  const work = async () => {
    for (let text = rest.pop(); text !== undefined; text = rest.pop()) {
      await check(text).catch((error: unknown) => {
        throw new Error(`with ${JSON.stringify(text)}: ${(error as Error).message}`, { cause: error });
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

const fits = (text: string, longest: number) => text.length > 0 && [...text].length <= longest;
const isText = (text: string) => text.isWellFormed() && !text.includes('\0');

it('the list is whole', () => {
  expect(NAUGHTY.length).toBeGreaterThan(450);
});

describe.each(PIECES)('from string $first on', ({ piece }) => {
  it('keeps every naughty title and key to the letter, and shows the title as text only', async () => {
    await forEach(piece, async (text) => {
      const order = { amount: 1, currency: 'CHF', title: text, idempotencyKey: text };
      const { status, body } = await api.create(order);
      if (!fits(text, 200) || !isText(text)) return expect(status).toBe(400);
      // The list holds a few strings twice: their key is used.
      expect([200, 201]).toContain(status);
      expect(body.title).toBe(text);
      expect((await api.create(order)).body).toEqual(body);
      if (!/[<>]/.test(text)) return;
      const page = await (await fetch(body.checkoutUrl)).text();
      expect(page).not.toContain(text.replaceAll(/^\s+|\s+$/g, '').slice(0, 200));
    });
  });

  it('answers every naughty string as an address, an id and in every parameter of the list', async () => {
    await forEach(piece, async (text) => {
      const { status, body } = await api.create({ amount: 1, currency: 'CHF', returnUrl: text });
      if (status === 201) expect(body.returnUrl).toMatch(/^https:/i);
      else expect(status).toBe(400);
      if (!text.isWellFormed()) return;
      const encoded = encodeURIComponent(text);
      // A client takes the dots for another path before it asks.
      if (!/^\.\.?$/.test(text))
        expect((await api.get(`/api/v1/intents/${encoded}`)).status).toBeLessThan(500);
      const names = ['page', 'pageSize', 'status', 'createdFrom', 'createdTo', 'search'];
      const list = await api.list(`?${names.map((name) => `${name}=${encoded}`).join('&')}`);
      expect(list.status).toBe(400);
      const isNumber = (name: string) => name.startsWith('page') && /^\d+$/.test(text);
      const told = list.body.errors?.map(({ parameter }) => parameter);
      expect(told).toEqual(expect.arrayContaining(names.filter((name) => !isNumber(name))));
    });
  });
});
