import { deflateSync } from 'node:zlib';
import photon from '@silvia-odwyer/photon-node';
import { PNG } from 'pngjs';
import { DataSource } from 'typeorm';
import { AuditLog } from '../../../src/modules/accounts/audit/audit-log.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { Api } from '../../support/api/api.js';
import { disc, pngOf } from '../../support/browser/logo.js';
import { Staff } from '../../support/dashboard/staff.js';
import { Service, type Shop } from '../../support/service/service.js';

const APPEARANCE = '/dashboard/settings/appearance';
const FLAW = /id="(\w+)-flaw">.*?<span>([^<]*)</s;

let service: Service;
let shop: Shop;
let other: Shop;
let owner: Staff;

beforeAll(async () => {
  service = await Service.start({ env: { TRUST_PROXY: '1' } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  [shop, other] = [await service.shop(), await service.shop(undefined, 'Other Shop')];
  owner = await Staff.of(service, { merchantId: shop.merchantId, role: 'owner' });
});

const merchant = ({ merchantId }: Shop) => service.app.get(MerchantsService).get(merchantId);
const audited = ({ merchantId }: Shop) => service.app.get(AuditLog).list(merchantId, 10);
const stored = ({ merchantId }: Shop) =>
  service.app
    .get(DataSource)
    .query<{ hash: string; png: Buffer }[]>('SELECT hash, png FROM merchant_logo WHERE merchant_id = $1', [
      merchantId,
    ]);
const red = [180, 30, 20] as const;
const logo = pngOf(400, 160, disc(red, 160));
const loud = (width: number, height: number) =>
  pngOf(width, height, (x, y) => [(x * 97 + y * 31) % 256, (x * 13 + y * 89) % 256, (x * y) % 256, 255]);

/** A chunk of PNG: length, name, content, and the sum that nobody needs to be right about here. */
function chunk(name: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, Buffer.from(name, 'latin1'), content, Buffer.alloc(4)]);
}

/** The page of a payment, as its buyer gets it. */
async function checkout(by = shop): Promise<string> {
  const { body } = await new Api(service, by.key).create({ amount: 49.9, currency: 'CHF' });
  const answer = await fetch(body.checkoutUrl, { headers: { accept: 'text/html' } });
  return answer.text();
}

const fromCheckout = (path: string) => fetch(service.config.checkoutUrl + path);

it('a merchant without a face has pages without one', async () => {
  expect(await checkout()).not.toMatch(/pay\/faces|class="logo/);
  expect((await owner.get(APPEARANCE)).html).not.toContain('name="remove"');
});

it('logo and colour are shown to buyers, served for ever from our own address, and recorded', async () => {
  expect(await owner.upload(APPEARANCE, logo, { color: '0A5C36' })).toMatchObject({ status: 303 });
  const { color, logo: drawn } = await merchant(shop);
  expect({ color, drawn }).toMatchObject({
    color: '#0a5c36',
    drawn: { hash: expect.stringMatching(/^[0-9a-f]{32}$/), width: 160, height: 64, bright: false },
  });
  const page = await checkout();
  expect(page).toContain(
    `<img class="logo" src="/pay/faces/${drawn!.hash}.png" width="80" height="32" alt="">`,
  );
  const [, css = ''] =
    /<link rel="stylesheet" href="(\/pay\/faces\/0a5c36\.[0-9a-f]{12}\.css)">/.exec(page) ?? [];
  const style = await fromCheckout(css);
  expect(style.status).toBe(200);
  expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
  const picture = await fromCheckout(`/pay/faces/${drawn!.hash}.png`);
  expect(picture.status).toBe(200);
  expect(Object.fromEntries(picture.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  const { width, height } = PNG.sync.read(Buffer.from(await picture.arrayBuffer()));
  expect([width, height]).toEqual([160, 64]);
  const [entry] = await audited(shop);
  expect(entry).toMatchObject({
    action: 'settings.changed',
    actor: owner.email,
    detail: { changes: { color: [null, '#0a5c36'], 'logo.hash': [null, drawn!.hash] } },
  });
  const { html } = await owner.get(APPEARANCE);
  expect(html).toContain('data:image/png;base64,');
  expect(html).toContain(
    'On the dark page your colour is too weak for a line: there only the button has it.',
  );
});

it('a change of the colour leaves the logo, and the logo is taken away when somebody says so', async () => {
  // Nobody else has it: the same picture has the same address.
  await owner.upload(APPEARANCE, pngOf(90, 60, disc([10, 120, 60], 60)), { color: '#0a5c36' });
  const { hash } = (await merchant(shop)).logo!;
  // A file that was not chosen is sent empty.
  expect((await owner.upload(APPEARANCE, new Uint8Array(), { color: '' })).status).toBe(303);
  expect(await merchant(shop)).toMatchObject({ color: null, logo: { hash } });
  expect((await owner.upload(APPEARANCE, new Uint8Array(), { color: '', remove: 'yes' })).status).toBe(303);
  expect(await merchant(shop)).toMatchObject({ color: null, logo: null });
  expect(await stored(shop)).toEqual([]);
  expect((await fromCheckout(`/pay/faces/${hash}.png`)).status).toBe(404);
});

it('keeps nothing of the file but its pixels: no place, no words, nothing behind its end', async () => {
  const secret = 'taken at 47.3769 N, 8.5417 E';
  const end = logo.length - 12;
  const withWords = Buffer.concat([
    logo.subarray(0, 33),
    chunkWithSum('tEXt', `Comment\0${secret}`),
    logo.subarray(33, end),
    logo.subarray(end),
    Buffer.from(`<script>alert('${secret}')</script>`),
  ]);
  expect((await owner.upload(APPEARANCE, withWords)).status).toBe(303);
  const [{ png } = { png: Buffer.alloc(0) }] = await stored(shop);
  expect(png.includes(secret)).toBe(false);
  expect(png.toString('latin1').match(/IHDR|IDAT|IEND|[a-z][A-Z]{3}|[a-zA-Z]{4}(?=Comment)/g)).not.toContain(
    'tEXt',
  );
  await owner.upload(APPEARANCE, logo);
  expect((await stored(shop))[0]!.png.equals(png)).toBe(true);
});

it('takes JPEG and WebP, and tells a logo in bright ink', async () => {
  const whole = photon.PhotonImage.new_from_byteslice(pngOf(300, 300, () => [200, 30, 20, 255]));
  for (const file of [whole.get_bytes_jpeg(80), whole.get_bytes_webp()]) {
    expect((await owner.upload(APPEARANCE, file)).status).toBe(303);
    expect((await merchant(shop)).logo).toMatchObject({ width: 64, height: 64, bright: false });
    const [{ png } = { png: Buffer.alloc(0) }] = await stored(shop);
    const [r, g, b] = PNG.sync.read(png).data;
    expect([Math.abs(r! - 200) < 8, Math.abs(g! - 30) < 8, Math.abs(b! - 20) < 8]).toEqual([
      true,
      true,
      true,
    ]);
  }
  await owner.upload(APPEARANCE, pngOf(160, 64, disc([250, 250, 250], 64)));
  expect((await merchant(shop)).logo).toMatchObject({ bright: true });
  expect(await checkout()).toContain('class="logo logo-bright"');
});

it('draws a detailed picture smaller, until a phone can have it at first sight', async () => {
  expect((await owner.upload(APPEARANCE, loud(300, 300))).status).toBe(303);
  const drawn = (await merchant(shop)).logo!;
  expect(drawn.width).toBeLessThan(64);
  const [{ png } = { png: Buffer.alloc(0) }] = await stored(shop);
  expect(png.length).toBeLessThanOrEqual(4_096);
});

describe('refuses, beside the field and without a change,', () => {
  const bomb = Buffer.from(pngOf(1, 1, () => [0, 0, 0, 0]));
  bomb.writeUInt32BE(50_000, 16);
  bomb.writeUInt32BE(50_000, 20);
  const liar = Buffer.from(logo);
  liar.writeUInt32BE(10, 16);
  const packed = Buffer.concat([
    logo.subarray(0, 33),
    chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(99e6))])),
    logo.subarray(33, 60),
  ]);

  it.each([
    [
      'an SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      'no PNG',
    ],
    [
      'an SVG that is called a PNG by its first bytes',
      Buffer.from('\x89PNG\r\n\x1a\n<svg/>', 'latin1'),
      'no PNG',
    ],
    ['a GIF', Buffer.from(`GIF89a${'\0'.repeat(99)}`), 'no PNG'],
    ['a page', Buffer.from('<!doctype html><h1>hello</h1>'), 'no PNG'],
    ['two thousand million pixels in a few bytes', bomb, 'more than 4 million pixels'],
    ['one that holds another size than it says', liar, 'could not be read'],
    ['half a picture', logo.subarray(0, logo.length >> 1), 'could not be read'],
    ['a text that unpacks to a hundred megabytes', packed, 'could not be read'],
    ['what cannot be made small', loud(800, 200), 'too detailed'],
  ])('%s', async (_, file, why) => {
    const before = await audited(shop);
    const { status, html } = await owner.upload(APPEARANCE, file, { color: '#0a5c36' });
    expect([status, FLAW.exec(html)?.[1], FLAW.exec(html)?.[2]]).toEqual([
      422,
      'logo',
      expect.stringContaining(why),
    ]);
    expect(await merchant(shop)).toMatchObject({ color: null, logo: null });
    expect(await audited(shop)).toEqual(before);
  });

  it.each(['red', '#12345', '#12345g', '}body{display:none'])('the colour %j', async (color) => {
    const { status, html } = await owner.post(APPEARANCE, { color });
    expect([status, FLAW.exec(html)?.[1]]).toEqual([422, 'color']);
    expect(html).toContain(`value="${color}"`);
    expect((await merchant(shop)).color).toBeNull();
  });

  it.each([
    ['a file of more than a megabyte', Buffer.concat([logo, Buffer.alloc(1024 * 1024)])],
    ['one that is far too large, before it is read,', Buffer.alloc(3_000_000)],
  ])('%s with the form again', async (_, file) => {
    await owner.post(APPEARANCE, { color: '#0a5c36' });
    const before = [await merchant(shop), await audited(shop)];
    const { status, html } = await owner.upload(APPEARANCE, file, { color: '#ff0000', remove: 'yes' });
    expect([status, FLAW.exec(html)?.[1], FLAW.exec(html)?.[2]]).toEqual([
      413,
      'logo',
      'The file is larger than 1 MB.',
    ]);
    expect(html).toContain('name="logo" type="file"');
    expect(html).toMatch(/<input id="logo"[^>]* aria-invalid="true" aria-describedby="logo-flaw/);
    expect([await merchant(shop), await audited(shop)]).toEqual(before);
  });

  it('a file that is far too large, of nobody who may not send one, and of no other site', async () => {
    const reader = await Staff.of(service, { merchantId: shop.merchantId, role: 'read-only' });
    expect((await reader.upload(APPEARANCE, Buffer.alloc(3_000_000))).status).toBe(403);
    const foreign = await fetch(service.url + APPEARANCE, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'multipart/form-data; boundary=x',
        origin: 'https://elsewhere.example',
        cookie: owner.cookie,
      },
      body: Buffer.alloc(3_000_000),
    });
    expect(foreign.status).toBe(403);
  });
});

it('is the owner’s alone, with a proof of identity, and nobody’s of another merchant', async () => {
  await owner.upload(APPEARANCE, logo, { color: '#0a5c36' });
  const before = [await merchant(shop), await stored(shop)];
  for (const role of ['developer', 'reviewer', 'read-only'] as const) {
    const staff = await Staff.of(service, { merchantId: shop.merchantId, role });
    expect((await staff.upload(APPEARANCE, loud(99, 99), { color: '#ff0000' })).status).toBe(403);
  }
  const stranger = await Staff.of(service, { merchantId: other.merchantId, role: 'owner' });
  // Whatever it names: the merchant is the session's.
  const wanted = { color: '#ff0000', merchant: shop.merchantId, merchantId: shop.merchantId };
  expect((await stranger.upload(APPEARANCE, loud(99, 99), wanted)).status).toBe(303);
  expect((await merchant(other)).color).toBe('#ff0000');
  await service.app.get(DataSource).query(`UPDATE session SET proven_at = proven_at - interval '11 minutes'`);
  const late = await owner.upload(APPEARANCE, loud(99, 99), { color: '#ff0000' });
  expect([late.status, late.location]).toEqual([303, expect.stringMatching(/^\/dashboard\/confirm/)]);
  expect([await merchant(shop), await stored(shop)]).toEqual(before);
});

it('takes fields that are named as what every object has for fields that it does not know', async () => {
  const names = Object.getOwnPropertyNames(Object.prototype);
  const fields = Object.fromEntries([...names.map((name) => [name, '#ff0000']), ['color', '#0a5c36']]);
  expect((await owner.upload(APPEARANCE, logo, fields)).status).toBe(303);
  expect((await merchant(shop)).color).toBe('#0a5c36');
});

it('takes a file on no other form', async () => {
  const { status } = await owner.upload('/dashboard/settings', logo, { name: 'Renamed' });
  expect([status, (await merchant(shop)).name]).toEqual([403, 'Test Shop']);
});

it.each([
  '/pay/faces/..%2f..%2fpackage.json',
  `/pay/faces/${'0'.repeat(32)}.png`,
  '/pay/faces/0a5c36.css',
  '/pay/faces/x',
])('serves nothing at %s', async (path) => expect((await fromCheckout(path)).status).toBe(404));

it('serves no face on the address of the dashboard', async () => {
  await owner.upload(APPEARANCE, logo);
  const { hash } = (await merchant(shop)).logo!;
  expect((await fetch(`${service.url}/pay/faces/${hash}.png`)).status).toBe(404);
});

function chunkWithSum(name: string, text: string): Buffer {
  const body = chunk(name, Buffer.from(text, 'latin1'));
  body.writeUInt32BE(crc32(body.subarray(4, body.length - 4)), body.length - 4);
  return body;
}

function crc32(bytes: Buffer): number {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
