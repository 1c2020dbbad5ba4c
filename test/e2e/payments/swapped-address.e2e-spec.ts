import { randomBytes } from 'node:crypto';
import { verifyDepositAddress } from '@rappen/client';
import { DataSource } from 'typeorm';
import { getAddress } from 'viem';
import { DestinationsService } from '../../../src/modules/chains/wallets/destinations.service.js';
import { drawQr } from '../../../src/platform/pages/qr.js';
import { Api } from '../../support/api/api.js';
import { scanned } from '../../support/checkout/scanned.js';
import { by } from '../../support/intents/by.js';
import { Money } from '../../support/intents/money.js';
import { SILENT_CHAIN } from '../../support/nodes/wallet.js';
import { runsOf } from '../../support/run/seed.js';
import { Service, type Shop } from '../../support/service/service.js';

/** `npm run prove:addresses` takes 10,000. */
const SWAPS = runsOf('SWAPPED_ADDRESSES', 80);
const INTENTS = 12;
jest.setTimeout(3_600_000);

const OWNER = getAddress(`0x${'5afe'.repeat(10)}`);

let service: Service;
let shop: Shop;
let api: Api;
const ids: string[] = [];

beforeAll(async () => {
  // Each swap reads twice: the proof's 10,000 would come to the limit of a key, and of one buyer's address.
  const env = { RATE_LIMIT_READS_PER_MINUTE: '1000000', TRUST_PROXY: '1' };
  service = await Service.start({ chain: SILENT_CHAIN, standsAt: 1_000, env });
  shop = await service.shop();
  api = new Api(service, shop.key);
  await service.app
    .get(DestinationsService)
    .set({ merchantId: shop.merchantId, network: 'ethereum', address: OWNER }, by('test'));
  await pickAgain();
});
afterAll(async () => {
  await service.stop();
});

/** Intents end after 15 minutes, and then no page shows an address: the proof takes longer. */
async function pickAgain(): Promise<void> {
  ids.length = 0;
  for (let i = 0; i < INTENTS; i += 1) {
    ids.push(await new Money(service).picked(shop.merchantId, 'ethereum', i % 2 === 0 ? 'USDC' : 'ETH'));
  }
}

const page = (id: string, path = '') => `${service.config.checkoutUrl}/pay/${id}${path}`;

let lookedAt = 0;
/** The checkout as somebody sees it who has not looked before. */
function look(url: string, init: RequestInit = {}): Promise<Response> {
  lookedAt += 1;
  const from = `10.${lookedAt >> 16}.${(lookedAt >> 8) & 255}.${lookedAt & 255}`;
  return fetch(url, { ...init, headers: { accept: 'text/html', 'x-forwarded-for': from } });
}

async function text(url: string): Promise<string> {
  const response = await look(url);
  // Of any other page no address could be read.
  expect(response.status).toBe(200);
  return response.text();
}

/** What a camera reads from the code with the address alone. */
function inCode(html: string): string {
  const svg =
    /class="code code-address"><svg[^>]*viewBox="0 0 (\d+) \d+".*?<path class="qr-dark" d="([^"]+)"/s.exec(
      html,
    );
  const told = scanned({ size: Number(svg![1]), path: svg![2]! }) ?? '';
  return /0x[0-9a-fA-F]{40}/.exec(told)?.[0] ?? 'unreadable';
}

/** The first event of the live stream. */
async function streamed(id: string): Promise<string> {
  const abort = new AbortController();
  const response = await look(page(id, '/events'), { signal: abort.signal });
  let told = '';
  for await (const chunk of response.body!) {
    told += Buffer.from(chunk as Uint8Array).toString();
    if (told.includes('depositAddress')) break;
  }
  abort.abort();
  return told;
}

const inText = (told: string) => /"depositAddress":"([^"]+)"/.exec(told)?.[1] ?? '';
const onPage = (html: string) => /id="copy-address" data-copy="([^"]+)"/.exec(html)?.[1] ?? '';

/** Where a buyer, or the merchant's server, reads the address; `swap` is what a thief does on the way. */
const SURFACES = {
  'API answer': async (id: string, swap: (told: string) => string) => inText(swap((await api.get(id)).text)),
  page: async (id: string, swap: (told: string) => string) => onPage(swap(await text(page(id)))),
  'QR code': async (id: string, swap: (told: string) => string) => {
    const html = await text(page(id));
    const read = inCode(html);
    const swapped = swap(read);
    if (swapped === read) return read;
    const { size, path } = drawQr(swapped);
    return inCode(
      `class="code code-address"><svg viewBox="0 0 ${size} ${size}"><path class="qr-dark" d="${path}"/></svg>`,
    );
  },
  'live stream': async (id: string, swap: (told: string) => string) => inText(swap(await streamed(id))),
} as const;
type Surface = keyof typeof SURFACES;
const surfaces = Object.keys(SURFACES) as Surface[];

const isOurs = async (id: string, shown: string): Promise<boolean> => {
  const { status, body } = await api.get(id);
  // Of any other answer nothing could be verified.
  expect(status).toBe(200);
  return verifyDepositAddress({ ...body, depositAddress: shown }, { destination: OWNER });
};
const thiefs = () => getAddress(`0x${randomBytes(20).toString('hex')}`);
const swapAll = (was: string, by: string) => (told: string) =>
  told.replaceAll(was, by).replaceAll(was.toLowerCase(), by.toLowerCase());

/** As one who owns the tables may: with a row that says that the address was issued. */
async function swapStored(id: string, address: string): Promise<void> {
  const dataSource = service.app.get(DataSource);
  await dataSource.query(
    `INSERT INTO address (family, address, destination_id, salt, subject)
     SELECT family, lower($2), destination_id, salt, subject FROM address WHERE subject = $1 LIMIT 1
     ON CONFLICT DO NOTHING`,
    [id, address],
  );
  await dataSource.query('UPDATE quote SET address = $2, watched_address = lower($2) WHERE intent_id = $1', [
    id,
    address,
  ]);
}

it.each(surfaces)('is the merchant’s own, by the %s of an honest service', async (surface) => {
  for (const id of ids) {
    const shown = await SURFACES[surface](id, (told) => told);
    expect([id, shown, await isOurs(id, shown)]).toEqual([id, shown, true]);
  }
});

it('is seen to be swapped, in the database, the API’s answer, the page, the QR code and the live stream', async () => {
  for (let i = 0; i < SWAPS; i += 1) {
    if (i % 1_000 === 999) await pickAgain();
    const id = ids[i % ids.length]!;
    const surface = surfaces[Math.floor(i / 2) % surfaces.length]!;
    const honest = (await api.get(id)).body.depositAddress!;
    const evil = thiefs();
    const isStored = i % 2 === 0;
    if (isStored) await swapStored(id, evil);
    const shown = await SURFACES[surface](id, isStored ? (told) => told : swapAll(honest, evil));
    const believed = await isOurs(id, shown);
    if (isStored) await swapStored(id, honest);
    expect({ surface, isStored, shown: shown.toLowerCase(), believed }).toEqual({
      surface,
      isStored,
      shown: evil.toLowerCase(),
      believed: false,
    });
  }
});
