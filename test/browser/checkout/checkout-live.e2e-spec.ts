import type { Browser, Page } from 'playwright-core';
import { trimZeros } from '../../../src/kernel/decimal.js';
import { AdmissionService } from '../../../src/modules/accounts/admission/admission.service.js';
import { catalogues } from '../../../src/modules/checkout/catalogue/catalogues.js';
import { FacesService } from '../../../src/modules/merchants/faces.service.js';
import { MAX_LOGO_BYTES } from '../../../src/modules/merchants/logos/logo-drawing.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { type AnyBody, Api } from '../../support/api/api.js';
import { Buyer, pick, reach, shown } from '../../support/browser/buyer.js';
import { launchChromium } from '../../support/browser/chromium.js';
import { pngOf } from '../../support/browser/logo.js';
import { CLIPBOARD, clipboard, overflow, scan, selected } from '../../support/browser/reading.js';
import { KEEP_SHIFTS, moving, shiftsOf } from '../../support/browser/shifts.js';
import { by, CLI_ACTOR } from '../../support/intents/by.js';
import { Money } from '../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { eventually } from '../../support/servers/receiver.js';
import { startShopSite } from '../../support/servers/shop-site.js';
import { Service, type Shop } from '../../support/service/service.js';

/** The first test vector of EIP-55. */
const MINE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const DOCUMENT_MAX_BYTES = 14_000;
const FIRST_VIEW_MAX_BYTES = 30_000;
const LANGUAGES = Object.values(catalogues).map(({ locale }) => locale);

let anvil: TestAnvil;
let service: Service;
let browser: Browser;
let shop: Shop;
let api: Api;
let buyer: Buyer;
let money: Money;
let merchants: MerchantsService;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  service = await Service.start({ chain: anvil });
  shop = await service.shop();
  api = new Api(service, shop.key);
  money = new Money(service);
  merchants = service.app.get(MerchantsService);
  browser = await launchChromium();
  buyer = new Buyer(browser, anvil);
});

afterEach(async () => {
  const complaints = [...buyer.complaints];
  await buyer.leave();
  expect(complaints).toEqual([]);
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await anvil?.stop();
});

async function order(changes: Record<string, unknown> = {}, by = api): Promise<AnyBody> {
  const { status, body } = await by.create({
    amount: 49.9,
    currency: 'CHF',
    title: 'Order 1001',
    ...changes,
  });
  expect(status).toBe(201);
  return body;
}

/** An order at the checkout, with USDC picked. */
async function waiting(changes: Record<string, unknown> = {}, phone = {}) {
  const intent = await order(changes);
  const page = await buyer.open(intent.checkoutUrl, phone);
  await pick(page, 'USDC');
  return { intent, page, ...(await shown(page)) };
}

const statusOf = async (id: string) => (await api.get(id)).body.status;
const stay = (page: Page) => page.evaluate(() => void Object.assign(globalThis, { neverReloaded: true }));
const hasStayed = (page: Page) => page.evaluate(() => 'neverReloaded' in globalThis);

describe('paying', () => {
  it('works without JavaScript, from the pick to settled', async () => {
    const { page, intent, address, amount } = await waiting({}, { javaScriptEnabled: false });
    expect(amount).toBe('62.375');
    expect(await page.locator('.countdown').textContent()).toMatch(/^Before \d+ \w+, \d\d:\d\d\u00a0UTC$/);
    expect(await page.locator('#copy-address').isVisible()).toBe(false);
    expect(await scan(page, 'address')).toBe(address);
    await buyer.send(address, '62.375');
    await eventually(
      async () => {
        const check = page.locator('#go-check');
        if (await check.isVisible()) await check.click();
        return page.locator('main').getAttribute('data-state');
      },
      (state) => state === 'settled',
    );
    expect(await page.locator('#heading').textContent()).toBe('Paid');
    expect(await statusOf(intent.id)).toBe('settled');
  });

  it('says what of a part payment is missing, and a top-up completes it, without a reload or a shift', async () => {
    const { page, address } = await waiting();
    await stay(page);
    await page.evaluate(KEEP_SHIFTS);
    const place = async () => (await page.locator('#address').boundingBox())!.y;
    const before = await place();
    await buyer.send(address, '60');
    await reach(page, 'part');
    // New nodes count for no shift, so the place itself is compared.
    expect(await place()).toBe(before);
    expect(await page.locator('.said').textContent()).toContain('60 of 62.375\u00a0USDC arrived.');
    expect(await shown(page)).toEqual({ amount: '2.375', address });
    // What the buyer unfolds moves what is below it, and is meant to.
    expect(await moving(page, () => scan(page, 'amount'))).toContain(`address=${address}&uint256=2375000`);
    await buyer.send(address, '2.375');
    await reach(page, 'settled');
    expect(await page.locator('.facts').textContent()).toContain('62.375\u00a0USDC');
    expect(await hasStayed(page)).toBe(true);
    expect(await shiftsOf(page)).toEqual([]);
  });

  it('goes on by asking now and then when the stream of changes is blocked', async () => {
    const asked: string[] = [];
    const prepare = async (page: Page) => {
      await page.route('**/events', (route) => route.abort());
      page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/')[3] ?? 'page'));
    };
    const { page, address } = await waiting({}, { prepare });
    await stay(page);
    await buyer.send(address, '62.375');
    await reach(page, 'settled');
    expect(await hasStayed(page)).toBe(true);
    expect(asked).toContain('status');
    expect(buyer.complaints.every((text) => text.includes('ERR_FAILED'))).toBe(true); // of the blocked streams
    buyer.complaints.length = 0;
  });

  it('can be done with the keyboard alone', async () => {
    const { checkoutUrl } = await order();
    const page = await buyer.open(checkoutUrl, CLIPBOARD);
    const focused = () =>
      page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent.trim()');
    const tabTo = (text: string) =>
      eventually(
        async () => {
          await page.keyboard.press('Tab');
          return focused();
        },
        (name) => name.startsWith(text),
      );
    await tabTo('USDC');
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    expect(outline).toBe('solid');
    await page.keyboard.press('Enter');
    const { address } = await shown(page);
    await eventually(focused, (name) => name === 'Waiting for your payment');
    await tabTo('Copy the address');
    await page.keyboard.press('Enter');
    await page.locator('#copy-address.copied').waitFor();
    expect(await clipboard(page)).toBe(address);
    await tabTo('Cancel');
    await page.keyboard.press('Enter');
    await page.locator('#confirm-cancel').waitFor();
  });
});

describe('what has to be exact', () => {
  it('copies the amount and the address by button, by hand and by camera', async () => {
    const { page, intent, amount, address } = await waiting({}, CLIPBOARD);
    const { body } = await api.get(intent.id);
    expect({ amount, address }).toEqual({
      amount: trimZeros(body.cryptoAmount as string),
      address: body.depositAddress,
    });
    for (const [button, text] of [
      ['#copy-amount', amount],
      ['#copy-address', address],
    ] as const) {
      await page.locator(button).click();
      await page.locator(`${button}.copied`).waitFor();
      expect(await clipboard(page)).toBe(text);
    }
    expect(await selected(page.locator('#amount'))).toBe(amount);
    expect(await selected(page.locator('#address'))).toBe(address);
    const token = anvil.tokens.USDC.address;
    const uri = `ethereum:${token}@${anvil.chainId}/transfer?address=${address}&uint256=62375000`;
    expect((await scan(page, 'amount'))?.toLowerCase()).toBe(uri.toLowerCase());
    expect(await page.locator('[data-app=other]').getAttribute('href')).toBe(await scan(page, 'amount'));
    expect(await scan(page, 'address')).toBe(address);
  });

  it('gives the same quote again after a look at another asset, though the rate has moved', async () => {
    const { page, intent, ...usdc } = await waiting();
    await merchants.set(shop.merchantId, { spreadBps: 500 }, by('test'));
    try {
      await page.locator('#go-change').click();
      await pick(page, 'ETH');
      await page.locator('.amount-asset', { hasText: 'ETH' }).waitFor();
      const eth = await shown(page);
      expect(eth.amount).toBe('0.0187594'); // at 2660, which is 5 % below the rate of 2800
      await page.locator('#go-change').click();
      await pick(page, 'USDC');
      await page.locator('.amount-asset', { hasText: 'USDC' }).waitFor();
      expect(await shown(page)).toEqual(usdc);
      expect((await api.get(intent.id)).body).toMatchObject({
        cryptoAmount: '62.37500000',
        depositAddress: usdc.address,
      });
    } finally {
      await merchants.set(shop.merchantId, { spreadBps: 0 }, by('test'));
    }
  });

  it('stays where a tap has led, though what was asked before is answered only then', async () => {
    const { page } = await waiting();
    await page.locator('#go-change').click();
    await page.locator('.option').first().waitFor();
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const asked = new Promise<void>((resolve) => {
      void page.route(/\?change=1$/, async (route) => {
        const response = await route.fetch();
        resolve();
        await held;
        await route.fulfill({ response });
      });
    });
    await page.evaluate("dispatchEvent(new PopStateEvent('popstate'))");
    await asked;
    await pick(page, 'ETH');
    await page.locator('#address').waitFor();
    const anew = page.waitForResponse(
      (response) => new URL(response.url()).pathname === new URL(page.url()).pathname,
    );
    answer();
    await (await anew).finished();
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await page.locator('#heading').textContent()).toBe('Waiting for your payment');
    expect(await page.locator('.amount-asset').textContent()).toContain('ETH');
  });

  it.each(LANGUAGES)('weighs at most 30 kB over the wire at first sight (%s)', async (locale) => {
    // With a face of which hardly anything repeats, and as if its logo were as heavy as one may be.
    const detailed = pngOf(390, 320, (x, y) => [
      (x * 97 + y * 31) % 256,
      (x * 13 + y * 89) % 256,
      (x * y) % 256,
      255,
    ]);
    const face = { color: '#0a5c36', logo: detailed };
    const { logo } = await service.app.get(FacesService).set(shop.merchantId, face, by('test'));
    const { intent } = await waiting();
    const received = new Map<string, number>();
    const page = await buyer.open('about:blank', {
      locale,
      prepare: async (blank) => {
        const wire = await blank.context().newCDPSession(blank);
        await wire.send('Network.enable');
        wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
          received.set(requestId, encodedDataLength),
        );
      },
    });
    await page.goto(intent.checkoutUrl, { waitUntil: 'load' });
    await page.locator(`html.js[lang=${locale}]`).waitFor();
    // Page, styles, script and logo; the icon comes when the browser has time.
    await eventually(
      () => received.size,
      (files) => files >= 5,
    );
    const bytes = [...received.values()].reduce((sum, each) => sum + each, 0);
    expect(Math.max(...received.values())).toBeLessThanOrEqual(DOCUMENT_MAX_BYTES);
    const picture = await service.app.get(FacesService).logo(logo!.hash);
    expect(bytes).toBeGreaterThan(5_000 + picture!.length);
    expect(bytes - picture!.length + MAX_LOGO_BYTES).toBeLessThanOrEqual(FIRST_VIEW_MAX_BYTES);
  });
});

describe('the language', () => {
  it('stays from the pick to what the stream tells, also where it was chosen', async () => {
    const { checkoutUrl } = await order();
    const page = await buyer.open(checkoutUrl, { locale: 'de-CH' });
    expect(await page.locator('#heading').textContent()).toBe('Bezahlen mit');
    await page.getByRole('link', { name: 'Italiano' }).click();
    await page.locator('html[lang=it-CH]').waitFor();
    await pick(page, 'USDC');
    await reach(page, 'waiting');
    expect(await page.locator('#heading').textContent()).toBe('In attesa del pagamento');
    await stay(page);
    // Said to a screen reader when the page changes by itself; what is said next replaces it.
    await page.evaluate(`
      globalThis.said = [];
      new MutationObserver(() => said.push(document.getElementById('live').textContent))
        .observe(document.getElementById('live'), { childList: true });
    `);
    const { address } = await shown(page);
    await buyer.send(address, '60');
    await reach(page, 'part');
    expect(await page.locator('.said').textContent()).toContain('60 su 62.375\u00a0USDC');
    await eventually(
      () => page.evaluate<string[]>('said'),
      (said) => said.includes('Importo arrivato: 60\u00a0USDC. Importo mancante: 2.375\u00a0USDC.'),
    );
    expect(await hasStayed(page)).toBe(true);
  });

  it('is that of a form that was refused', async () => {
    const { checkoutUrl } = await order();
    const refused = await fetch(`${checkoutUrl}/cancel`, {
      method: 'POST',
      headers: { origin: 'https://evil.example', accept: 'text/html', 'accept-language': 'fr' },
    });
    expect(refused.status).toBe(403);
    const page = await refused.text();
    expect(page).toContain(catalogues.fr.errors.refused.title);
    // It cannot be asked for again.
    expect(page).not.toContain('class="languages"');
  });

  it('is offered on a page about nothing by links to that same address, whatever it reads like', async () => {
    const origin = new URL((await order()).checkoutUrl).origin;
    const answer = await fetch(`${origin}//evil.example/pay`, { headers: { accept: 'text/html' } });
    const links = [...(await answer.text()).matchAll(/href="([^"]+)" lang=/g)].map(([, href]) => href);
    expect([answer.status, links]).toEqual([
      404,
      ['de', 'fr', 'it', 'rm'].map((each) => `?lang&#x3D;${each}`),
    ]);
  });

  it('is in no cache, and in English for programs that ask for none', async () => {
    const { checkoutUrl } = await order();
    const ask = (path: string, headers: Record<string, string> = {}) =>
      fetch(checkoutUrl + path, { headers });
    for (const path of ['', '/status']) {
      const { headers } = await ask(path);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('vary')).toMatch(/Accept-Language, Cookie/);
      expect(headers.get('set-cookie')).toBeNull();
    }
    expect(await (await ask('/status')).json()).toMatchObject({ message: 'Pick what you pay with.' });
    expect(await (await ask('/status', { 'accept-language': 'rm' })).json()).toMatchObject({
      message: catalogues.rm.announcements.choose({} as never),
    });
    const chosen = await ask('?lang=fr', { 'accept-language': 'de' });
    expect(await chosen.text()).toContain('<html lang="fr-CH">');
    const cookie = chosen.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      /^language-\d+=fr; Max-Age=34560000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    const later = await ask('', { 'accept-language': 'de', cookie: cookie.split(';')[0]! });
    expect(await later.text()).toContain('<html lang="fr-CH">');
    for (const nonsense of ['?lang=xx', '?lang=__proto__', '?lang=de&lang=fr']) {
      const answer = await ask(nonsense, { 'accept-language': 'it' });
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
      expect(await answer.text()).toContain('<html lang="it-CH">');
    }
    const problem = await fetch(`${checkoutUrl}x/status`, { headers: { 'accept-language': 'de' } });
    expect(await problem.json()).toMatchObject({ title: 'No such payment intent' });
  });
});

describe('at any tap', () => {
  it('stays and says so while the server cannot be reached, and goes on afterwards', async () => {
    const { checkoutUrl } = await order();
    const page = await buyer.open(checkoutUrl);
    await stay(page);
    await page.context().setOffline(true);
    await pick(page, 'USDC');
    await page.locator('#unsent').getByText('nothing was changed').waitFor();
    expect(await page.locator('main').getAttribute('data-state')).toBe('choose');
    await page.context().setOffline(false);
    await page.locator('#unsent').waitFor({ state: 'hidden' });
    await pick(page, 'USDC');
    await reach(page, 'waiting');
    expect(await page.locator('#unsent').isVisible()).toBe(false);
    expect(await hasStayed(page)).toBe(true);
    expect(buyer.complaints.every((text) => text.includes('ERR_INTERNET_DISCONNECTED'))).toBe(true);
    buyer.complaints.length = 0;
  });

  it('goes back from a payment to the choice before it, and from there out', async () => {
    const { page } = await waiting();
    await page.goBack();
    await page.locator('.options').waitFor();
    await pick(page, 'ETH');
    await page.locator('.amount-asset', { hasText: 'ETH' }).waitFor();
    await page.goBack();
    await page.locator('.options').waitFor();
    await page.goBack();
    expect(page.url()).toBe('about:blank');
  });

  it('does the sum for who withdraws from an exchange, exactly', async () => {
    const { page } = await waiting();
    await page.locator('#exchange summary').click();
    const sum = page.locator('#exchange-sum');
    for (const [fee, words] of [
      ['1.5', 'Withdraw 63.875\u00a0USDC.'],
      ['0,000001', 'Withdraw 62.375001\u00a0USDC.'],
      ['.5', 'Withdraw 62.875\u00a0USDC.'],
      [',5', 'Withdraw 62.875\u00a0USDC.'],
      ["1'000", 'Withdraw 1062.375\u00a0USDC.'],
      ['1 000.5', 'Withdraw 1062.875\u00a0USDC.'],
      // 62.375 / 0.99 = 63.00505…, rounded up: 99 % of it are enough.
      ['1 %', 'Withdraw 63.005051\u00a0USDC.'],
      ['0.5%', 'Withdraw 62.688443\u00a0USDC.'],
      ['', ''],
      ['a lot', 'Type a number, such as 1.5, or a part, such as 1 %.'],
      ['1,000.5', 'Type a number, such as 1.5, or a part, such as 1 %.'],
      ['100 %', 'Type a number, such as 1.5, or a part, such as 1 %.'],
    ] as const) {
      await page.locator('#exchange-fee').fill(fee);
      expect(await sum.textContent()).toBe(words);
      expect(await page.locator('#exchange-fee[aria-invalid]').count()).toBe(
        words.startsWith('Type') ? 1 : 0,
      );
    }
  });

  it('reassures who has sent it, and changes nothing', async () => {
    const { page, intent } = await waiting();
    await page.locator('#sent summary').click();
    await page.locator('#sent').getByText('You have nothing more to do').waitFor();
    expect(await statusOf(intent.id)).toBe('initiated');
  });
});

describe('leaving', () => {
  it('cancels only after a confirming step', async () => {
    const { page, intent } = await waiting();
    await page.locator('#go-cancel').click();
    await page.locator('#heading').getByText('Cancel this payment?').waitFor();
    await page.locator('#go-back').click();
    await page.locator('#address').waitFor();
    expect(await statusOf(intent.id)).toBe('initiated');
    await page.locator('#go-cancel').click();
    await page.locator('#confirm-cancel').click();
    await reach(page, 'cancelled');
    expect(await page.locator('#address').count()).toBe(0);
    expect(await statusOf(intent.id)).toBe('cancelled');
  });

  it('does not blame money for a cancel that only came too late', async () => {
    const { page, intent } = await waiting({}, { javaScriptEnabled: false });
    await page.locator('#go-cancel').click();
    await money.endWindowIn(intent.id, 0);
    await page.locator('#confirm-cancel').click();
    await reach(page, 'expired');
    expect(await page.locator('.notice').count()).toBe(0);
    expect(await statusOf(intent.id)).toBe('expired');
  });

  it('returns to the merchant with the intent and its status', async () => {
    // A real site: what a redirect leads to, Playwright does not answer in its place.
    const site = await startShopSite('Thanks');
    try {
      const returnUrl = `${site.url}/thanks?order=1001#top`;
      const { page, intent } = await waiting({ returnUrl }, { ignoreHTTPSErrors: true });
      const answer = await fetch(`${intent.checkoutUrl}/return`, { redirect: 'manual' });
      const target = `${site.url}/thanks?order=1001&service_intent=${intent.id}&status=initiated#top`;
      expect([answer.status, answer.headers.get('location')]).toEqual([303, target]);
      await page.locator('#go-return').click();
      await page.getByText('Thanks').waitFor();
      expect(page.url()).toBe(target);
    } finally {
      await site.stop();
    }
  });

  it('says when the time has ended, by itself, and takes the address away', async () => {
    const { page, intent } = await waiting();
    await stay(page);
    await money.endWindowIn(intent.id, 500);
    await reach(page, 'expired');
    expect(await page.locator('.said').textContent()).toContain('Do not send anything now.');
    expect(await page.locator('#address, .qr').count()).toBe(0);
    expect(await hasStayed(page)).toBe(true);
  });

  it('tells the buyer of an expired payment where the money is that arrived, and whom to ask', async () => {
    const { page, intent, address } = await waiting();
    await buyer.send(address, '60');
    await reach(page, 'part');
    await money.endWindowIn(intent.id, 500);
    await reach(page, 'expired-paid');
    expect(await page.locator('#heading').textContent()).toBe('Your money arrived, but not all of it');
    const facts = await page.locator('.facts').textContent();
    expect(facts).toContain('2.375\u00a0USDC');
    expect(facts).toContain(intent.id);
    expect(await page.locator('.support a').getAttribute('href')).toBe('mailto:help@shop.example');
    expect(await page.locator('.transfers code').textContent()).toMatch(/^0x[0-9a-f]{64}$/);
  });

  it('tells of money that comes only after the end', async () => {
    const { page, intent, address } = await waiting();
    await money.endWindowIn(intent.id, 500);
    await reach(page, 'expired');
    // A block of the same second would still count: its header knows whole seconds only, and the chain's clock is its own.
    const { body } = await api.get(intent.id);
    await eventually(
      async () => Number((await anvil.testClient.getBlock()).timestamp) * 1000,
      (blockMs) => blockMs > Date.parse(body.expiresAt),
    );
    await eventually(
      () => statusOf(intent.id),
      (status) => status === 'expired',
    );
    await buyer.send(address, '62.375');
    await eventually(
      async () => {
        await page.reload();
        return page.locator('main').getAttribute('data-state');
      },
      (state) => state === 'expired-paid',
    );
    expect(await page.locator('#heading').textContent()).toBe('Your money arrived, but too late');
  });
});

describe('what others may try', () => {
  it.each([
    ['a script', '<script>alert(1)</script><img src=x onerror=alert(1)>', /^<script>alert\(1\)/],
    ['text that turns around', 'Pay \u202e001 FHC\u202c \u2066now\u2069', /^Pay �001 FHC� �now�$/],
    [
      'a template',
      '{{constructor}} ${1+1} &lt;b&gt; %3Cb%3E',
      /^\{\{constructor\}\} \$\{1\+1\} &lt;b&gt; %3Cb%3E$/,
    ],
    ['one word without an end', 'W'.repeat(200), /^W{200}$/],
  ])('shows a title that is %s as text', async (_what, title, expected) => {
    const { checkoutUrl } = await order({ title });
    const dialogs: string[] = [];
    const page = await buyer.open(checkoutUrl, {
      viewport: { width: 320, height: 568 },
      prepare: (blank) =>
        Promise.resolve(blank.on('dialog', (dialog) => void dialogs.push(dialog.message()))),
    });
    await pick(page, 'USDC');
    await page.locator('#address').waitFor();
    expect(await page.locator('h1').textContent()).toMatch(expected);
    expect(await page.locator('h1 bdi').evaluate((bdi) => bdi.childElementCount)).toBe(0);
    expect(await overflow(page)).toBe(0);
    expect(dialogs).toEqual([]);
  });

  it('refuses a form that another site sends, with a page', async () => {
    const { intent, page } = await waiting();
    await page.route('http://evil.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><form method="post" action="${intent.checkoutUrl}/cancel"><button>Win</button></form>`,
      }),
    );
    await page.goto('http://evil.example/');
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/cancel')),
      page.getByText('Win').click(),
    ]);
    expect([answer.status(), answer.headers()['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
    await page.getByText('This did not work').waitFor();
    expect(await statusOf(intent.id)).toBe('initiated');
    expect(buyer.complaints.splice(0)).toEqual([expect.stringContaining('status of 403')]);
  });

  it('answers an unknown payment with a page for people, and a problem document for everyone else', async () => {
    const known = new URL((await order()).checkoutUrl);
    for (const path of ['/pay/pi_nothing', `${known.pathname}x`, `/pay/pi_${'0'.repeat(26)}`]) {
      const url = new URL(path, known).href;
      const page = await buyer.open(url);
      expect(await page.locator('h1').textContent()).toBe('This payment does not exist');
      const asHtml = await fetch(url, { headers: { accept: 'text/html' } });
      expect([asHtml.status, asHtml.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      for (const each of [url, `${url}/status`, `${url}/events`]) {
        const answer = await fetch(each, { headers: { accept: 'application/json' } });
        expect([answer.status, answer.headers.get('content-type')]).toEqual([
          404,
          'application/problem+json',
        ]);
        expect(await answer.json()).toMatchObject({ status: 404, instance: new URL(each).pathname });
      }
    }
    expect(buyer.complaints.splice(0)).toEqual(Array(3).fill(expect.stringContaining('status of 404')));
  });

  it('takes no picks for a suspended merchant, and nobody else notices', async () => {
    const other = await service.shop();
    const theirs = await order({}, new Api(service, other.key));
    const early = await buyer.open(theirs.checkoutUrl, { javaScriptEnabled: false });
    await service.app.get(AdmissionService).decide(other.merchantId, 'suspended', 'a test', CLI_ACTOR);
    await pick(early, 'USDC'); // from a page that is older than the suspension
    await reach(early, 'suspended');
    expect(await early.locator('.options button, #address').count()).toBe(0);
    // Not "pick another one": there is none.
    expect(await early.locator('.notice').count()).toBe(0);
    expect((await service.app.get(MerchantsService).get(shop.merchantId)).status).toBe('approved');
    const { address } = await waiting();
    expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/);
  });
});

describe('money that came short', () => {
  it.each([true, false])(
    'is named after the window, with a place for a refund address (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const { page, intent, address } = await waiting({}, { javaScriptEnabled });
      await buyer.send(address, '60');
      await eventually(
        () => statusOf(intent.id),
        (status) => status === 'pending',
      );
      await money.endWindowIn(intent.id, -1);
      await eventually(
        () => statusOf(intent.id),
        (status) => status === 'expired',
      );
      await eventually(
        async () => {
          await page.goto(intent.checkoutUrl);
          return page.locator('#go-refund').count();
        },
        (offered) => offered === 1,
      );
      expect(await page.locator('.said').textContent()).toContain('60 of 62.375\u00a0USDC arrived.');
      await page.locator('#go-refund').click();
      await page.locator('#refund-address').fill(address);
      await page.locator('#refund-note').fill('Order 1001');
      await page.locator('#save-refund').click();
      await page.locator('#refund-address-flaw').waitFor();
      expect(await page.locator('#refund-address-flaw').textContent()).toContain(
        'belongs to the payment itself',
      );
      expect(await page.locator('#refund-note').inputValue()).toBe('Order 1001');
      await page.locator('#refund-address').fill(MINE);
      await page.locator('#save-refund').click();
      expect(await page.locator('#refund-address-saved').textContent()).toBe(MINE);
      expect(await page.locator('.notice').textContent()).toContain('Your refund address is saved.');
      // The refused attempt is an answer of 422, which the console reports by itself.
      buyer.complaints.splice(
        0,
        buyer.complaints.length,
        ...buyer.complaints.filter((text) => !text.includes('422')),
      );
    },
  );
});

describe('a coin that nobody asked for', () => {
  it.each([true, false])(
    'is found while the price is waited for, asked back there and then, and the price is paid (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const { page, intent, address } = await waiting({}, { javaScriptEnabled });
      const offered = async () => {
        if (!javaScriptEnabled) await page.goto(intent.checkoutUrl);
        return page.locator('.status #go-refund').count();
      };
      await buyer.sendCoin(address, '0.01');
      await eventually(offered, (count) => count === 1, 60_000);
      expect(await page.locator('#heading').textContent()).toBe('We found 0.01\u00a0ETH on Ethereum');
      expect(await page.locator('#amount').textContent()).toBe('62.375');
      await page.locator('#go-refund').click();
      await page.locator('#refund-address').fill(MINE);
      await page.locator('#save-refund').click();
      expect(await page.locator('.notice').textContent()).toContain('Your refund address is saved.');
      expect(await page.locator('#refund-address-saved').textContent()).toBe(MINE);
      expect(await statusOf(intent.id)).toBe('initiated');
      await buyer.send(address, '62.375');
      await eventually(
        async () => {
          if (!javaScriptEnabled) await page.goto(intent.checkoutUrl);
          return page.locator('main').getAttribute('data-state');
        },
        (state) => state === 'settled',
        60_000,
      );
      expect(await page.locator('#refund-address-saved').textContent()).toBe(MINE);
    },
  );

  it('leaves what is being typed where it is, whatever becomes of the payment meanwhile', async () => {
    const { page, intent, address } = await waiting();
    await buyer.sendCoin(address, '0.01');
    await page.locator('.status #go-refund').click({ timeout: 60_000 });
    await page.locator('#refund-address').fill(MINE.slice(0, 20));
    await page.locator('#refund-note').fill('Order 1001');
    await money.endWindowIn(intent.id, 500);
    await reach(page, 'expired-paid');
    expect(await page.locator('#refund-address').inputValue()).toBe(MINE.slice(0, 20));
    expect(await page.locator('#refund-note').inputValue()).toBe('Order 1001');
    await page.locator('#refund-address').fill(MINE);
    await page.locator('#save-refund').click();
    expect(await page.locator('#refund-address-saved').textContent()).toBe(MINE);
  });
});

it('offers a buyer who sent too much the way to have it back, and names the payment', async () => {
  const { page, intent, address } = await waiting();
  await buyer.send(address, '65');
  await reach(page, 'settled');
  expect(await page.locator('.said').first().textContent()).toContain('2.625\u00a0USDC more than was asked');
  await page.locator('#go-refund').click();
  await page.locator('#refund-address').fill(MINE);
  await page.locator('#save-refund').click();
  expect(await page.locator('#refund-address-saved').textContent()).toBe(MINE);
  expect(await page.locator('.reference code').textContent()).toBe(intent.id);
  expect(await statusOf(intent.id)).toBe('settled');
});
