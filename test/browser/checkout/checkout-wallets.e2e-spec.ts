import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { BUYER } from '../../chain/chains-fixture.js';
import { Api } from '../../support/api/api.js';
import { BrowserWallet } from '../../support/browser/browser-wallet.js';
import { Buyer, pick, reach, shown } from '../../support/browser/buyer.js';
import { launchChromium } from '../../support/browser/chromium.js';
import { AXE_FILE, axeFindings } from '../../support/browser/inspection.js';
import { CLIPBOARD, clipboard, overflow, smallTargets } from '../../support/browser/reading.js';
import { KEEP_SHIFTS, moving, shiftsOf } from '../../support/browser/shifts.js';
import { Money } from '../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

const DESK = { width: 1280, height: 900 };

let anvil: TestAnvil;
let service: Service;
let browser: Browser;
let api: Api;
let buyer: Buyer;
let wallet: BrowserWallet;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  service = await Service.start({ chain: anvil });
  api = new Api(service, (await service.shop()).key);
  browser = await launchChromium();
  buyer = new Buyer(browser, anvil);
});

beforeEach(() => {
  wallet = new BrowserWallet(anvil.rpcUrl, BUYER);
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

/** A payment at a desk, with an asset picked and the wallet in the browser. */
async function atDesk(asset = 'USDC', script = '') {
  const { body } = await api.create({ amount: 49.9, currency: 'CHF', title: 'Order 1001' });
  const page = await buyer.open(body.checkoutUrl, {
    viewport: DESK,
    prepare: async (blank) => {
      await wallet.announceIn(blank.context());
      await blank.context().addInitScript({ path: AXE_FILE });
      await blank.context().addInitScript(script);
    },
  });
  await pick(page, asset);
  await page.locator('.amount-asset', { hasText: asset }).waitFor();
  return { page, id: body.id, ...(await shown(page)) };
}

const shortened = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;
const payButton = (page: Page) => page.getByRole('button', { name: 'Pay with Test Wallet' });
const said = (page: Page, text: string) => page.locator('#wallet-said').getByText(text).waitFor();

describe('with a wallet in the browser', () => {
  it.each(['USDC', 'ETH'])(
    'pays exactly what the page shows, and says by itself that it was seen (%s)',
    async (asset) => {
      const { page, id, amount, address } = await atDesk(asset);
      expect(await page.locator('.button-main:visible').allTextContents()).toEqual([' Pay with Test Wallet']);
      expect(await page.locator('#wallet-said').textContent()).toBe(
        `Your wallet asks before it sends. Confirm only ${amount}\u00a0${asset} on Ethereum.`,
      );
      expect([...(await axeFindings(page)), ...(await smallTargets(page))]).toEqual([]);
      await page.evaluate(KEEP_SHIFTS);
      // It stands above the button that asks for it.
      const asked = await page.locator('#wallet-call').innerText();
      const [above, button] = await Promise.all(
        [page.locator('#wallet-call'), payButton(page)].map((each) => each.boundingBox()),
      );
      expect(above!.y + above!.height).toBeLessThanOrEqual(button!.y);
      await moving(page, () => page.locator('#wallet-call summary').click());
      const facts = Object.fromEntries(
        await page
          .locator('#wallet-call .facts div')
          .evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent))),
      ) as Record<string, string>;
      const shownCall = { to: facts.Contract ?? facts.To, value: facts.value, data: facts.data };
      // A person reads first, and what moves within half a second of a click counts as theirs.
      wallet.meanwhile.set('eth_sendTransaction', () => sleep(800));
      await payButton(page).click();
      await reach(page, 'settled');
      expect(Number(wallet.chainId)).toBe(anvil.chainId);
      expect(wallet.sent).toBe(1);
      const [call] = wallet.sending;
      expect(asked).toContain(
        asset === 'USDC' ? `transfer(${shortened(address)}, 62375000)` : `wei → ${shortened(address)}`,
      );
      expect(shownCall).toEqual({
        to: call!.to,
        value: `${BigInt(call!.value)} wei`,
        data: asset === 'USDC' ? call!.data : undefined,
      });
      const { body } = await api.get(id);
      expect([body.status, body.payment?.received]).toEqual(['settled', body.cryptoAmount]);
      expect(await shiftsOf(page)).toEqual([]);
    },
  );

  it('sends nothing a second time until the first is seen, also after a reload', async () => {
    wallet.loses = true;
    const { page } = await atDesk();
    await payButton(page).click();
    await said(page, 'Sent. As soon as Ethereum knows of it');
    expect(await payButton(page).isVisible()).toBe(false);
    await page.reload();
    await said(page, 'Sent. As soon as Ethereum knows of it');
    expect(await payButton(page).isVisible()).toBe(false);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'It did not leave my wallet: try again' }).click();
    wallet.loses = false;
    await payButton(page).click();
    await reach(page, 'settled');
    expect(wallet.sent).toBe(2);
  });

  it('offers nothing a second time in another tab, before the chain knows of the first', async () => {
    wallet.loses = true;
    const { page } = await atDesk();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await payButton(other).waitFor();
    await payButton(page).click();
    await said(other, 'Sent. As soon as Ethereum knows of it');
    expect(await payButton(other).isVisible()).toBe(false);
    // Who says in one tab that it did not leave the wallet may send it in each.
    await page.getByRole('button', { name: 'It did not leave my wallet: try again' }).click();
    await payButton(other).waitFor();
    expect(wallet.sent).toBe(1);
  });

  it('is not asked to send what another tab has sent while it was asked for the account', async () => {
    const { page, id } = await atDesk();
    // A page is not told of what is kept by itself.
    const keep = `localStorage.setItem('rappen.sent.${id}', '0x${'0b'.repeat(32)}')`;
    wallet.meanwhile.set('eth_requestAccounts', () => page.evaluate(keep));
    await payButton(page).click();
    await said(page, 'Sent. As soon as Ethereum knows of it');
    expect(await payButton(page).isVisible()).toBe(false);
    expect(wallet.sent).toBe(0);
  });

  it('sends nothing a second time where the browser keeps nothing', async () => {
    wallet.loses = true;
    const refused = "get: () => { throw new DOMException('', 'SecurityError'); }";
    const { page } = await atDesk('USDC', `Object.defineProperty(window, 'localStorage', { ${refused} });`);
    await payButton(page).click();
    await said(page, 'Sent. As soon as Ethereum knows of it');
    expect(await payButton(page).isVisible()).toBe(false);
  });

  it('says so when the network refuses what was sent, and offers it again', async () => {
    const { page } = await atDesk();
    // Code that always fails, in the place of the token; the wallet does not look at it before.
    const to = `0x${'00'.repeat(18)}ff01` as const;
    await anvil.testClient.setCode({ address: to, bytecode: '0x60006000fd' });
    await page.evaluate(`document.getElementById('browser-wallets').dataset.to = '${to}'`);
    wallet.gas = '0x30000';
    await payButton(page).click();
    await said(page, 'The network refused the transaction, and nothing arrived.');
    expect(await payButton(page).isVisible()).toBe(true);
  });

  it.each([
    ['eth_requestAccounts', { code: 4001 }, 'You refused in your wallet. Nothing was sent.'],
    ['eth_sendTransaction', { code: 4001 }, 'You refused in your wallet. Nothing was sent.'],
    ['eth_requestAccounts', { code: -32002 }, 'Your wallet has a question open already.'],
    ['wallet_switchEthereumChain', { code: 4902 }, 'Your wallet does not know this network.'],
    [
      'eth_sendTransaction',
      { code: -32000, message: 'insufficient funds for gas * price + value' },
      'or too little for the network’s fee. Nothing was sent.',
    ],
    [
      'eth_sendTransaction',
      { code: -32603, message: 'Popup <b>closed</b>' },
      'Your wallet did not send it, and says: Popup <b>closed</b>',
    ],
  ])('says in place what went wrong, and can be tried again (%s: %j)', async (method, refusal, words) => {
    const { page } = await atDesk();
    await page.evaluate(KEEP_SHIFTS);
    wallet.refusals.set(method, refusal);
    await payButton(page).click();
    await said(page, words);
    expect(await payButton(page).isEnabled()).toBe(true);
    expect(await shiftsOf(page)).toEqual([]);
    wallet.refusals.clear();
    await payButton(page).click();
    await reach(page, 'settled');
  });

  it('asks no wallet that has too little', async () => {
    wallet.account = privateKeyToAddress(generatePrivateKey());
    const { page, amount } = await atDesk();
    await payButton(page).click();
    await said(page, `This account has less than ${amount}\u00a0USDC on Ethereum`);
    expect(wallet.sent).toBe(0);
  });

  it('asks for nothing that has ended while the account was asked for', async () => {
    const { page, id } = await atDesk();
    wallet.meanwhile.set('eth_requestAccounts', () => new Money(service).endWindowIn(id, -1));
    await payButton(page).click();
    await reach(page, 'expired');
    expect(wallet.asked).toContain('eth_requestAccounts');
    expect(wallet.sent).toBe(0);
  });

  it.each([
    ['its balance was asked for', 'eth_call', 'Your wallet stayed on another network. Nothing was sent.'],
    ['its person read what it asks', 'eth_sendTransaction', 'Your wallet did not send it, and says:'],
  ])('sends nothing on another network to which the wallet went while %s', async (_when, method, words) => {
    const { page } = await atDesk();
    wallet.meanwhile.set(method, () => Promise.resolve((wallet.chainId = '0x89')));
    await payButton(page).click();
    await said(page, words);
    expect(wallet.sentOn).toEqual([]);
    wallet.meanwhile.clear();
    await payButton(page).click();
    await reach(page, 'settled');
    expect(wallet.sentOn.map(Number)).toEqual([anvil.chainId]);
  });

  it('asks for nothing while the server cannot be reached', async () => {
    const { page } = await atDesk();
    await page.context().setOffline(true);
    await payButton(page).click();
    await said(page, 'We cannot reach the server');
    expect(wallet.sent).toBe(0);
    await page.context().setOffline(false);
    await payButton(page).click();
    await reach(page, 'settled');
    buyer.complaints.length = 0; // of the connections that were cut
  });
});

describe('in the browser of a wallet’s app', () => {
  /** A payment on a phone or at a desk, whose wallet does not announce itself. */
  async function silent(device: object) {
    const { body } = await api.create({ amount: 49.9, currency: 'CHF' });
    const page = await buyer.open(body.checkoutUrl, {
      ...device,
      prepare: async (blank) => {
        await wallet.keepSilentIn(blank.context());
        await blank.context().addInitScript({ path: AXE_FILE });
      },
    });
    await pick(page, 'USDC');
    await page.locator('.amount-asset', { hasText: 'USDC' }).waitFor();
    return page;
  }

  it('pays by the one wallet that is there, though it does not say its name', async () => {
    const page = await silent({ isMobile: true, hasTouch: true });
    const button = page.getByRole('button', { name: 'Pay with your wallet' });
    expect(await page.locator('.button-main:visible').allTextContents()).toEqual(['Pay with your wallet']);
    expect(await page.locator('#phone-wallets').isVisible()).toBe(false);
    expect([...(await axeFindings(page)), ...(await smallTargets(page))]).toEqual([]);
    await button.click();
    await reach(page, 'settled');
    expect(wallet.sent).toBe(1);
  });

  it('asks no wallet at a desk that has not said which it is', async () => {
    const page = await silent({ viewport: DESK });
    expect(await page.locator('#browser-wallets').isVisible()).toBe(false);
    expect(wallet.asked).toEqual([]);
  });
});

describe('without a wallet in the browser', () => {
  it('offers none at a desk, where the code leads', async () => {
    const { body } = await api.create({ amount: 49.9, currency: 'CHF' });
    const page = await buyer.open(body.checkoutUrl, { viewport: DESK });
    await pick(page, 'USDC');
    await page.locator('.codes').waitFor();
    expect(
      await page.locator('#browser-wallets:visible, #phone-wallets:visible, .button-main:visible').count(),
    ).toBe(0);
  });

  it.each([
    ['a phone on its side', { width: 844, height: 390 }, false],
    ['a tablet', { width: 1024, height: 768 }, true],
  ])(
    'offers those of %s by the finger that it has, and not by its width',
    async (_which, viewport, hasCode) => {
      const { body } = await api.create({ amount: 49.9, currency: 'CHF' });
      const page = await buyer.open(body.checkoutUrl, { viewport, hasTouch: true });
      await pick(page, 'USDC');
      await page.locator('#open-wallet').waitFor();
      expect(await page.locator('.codes').isVisible()).toBe(hasCode);
      expect(await page.locator('label[for=qr-show]').isVisible()).toBe(!hasCode);
      const narrow = await buyer.open(body.checkoutUrl, {
        viewport: { width: 390, height: 844 },
        hasTouch: false,
      });
      await narrow.locator('.codes').waitFor();
      expect(await narrow.locator('#phone-wallets').isVisible()).toBe(false);
    },
  );

  it('opens a wallet on a phone by its name, remembers it, and helps where nothing opens', async () => {
    const { body } = await api.create({ amount: 49.9, currency: 'CHF' });
    const page = await buyer.open(body.checkoutUrl, {
      prepare: (blank) =>
        blank.context().route(/metamask/, (route) => route.fulfill({ body: 'Get MetaMask' })),
    });
    await pick(page, 'USDC');
    const { address } = await shown(page);
    await page.locator('#open-wallet').click();
    expect(await page.locator('.apps ul').evaluateAll((all) => all.map((one) => one.innerText))).toEqual([
      'MetaMask',
      ['Trust Wallet', 'Coinbase Wallet', 'OKX Wallet', 'Bitget Wallet', 'TokenPocket', 'imToken'].join('\n'),
      'Another wallet',
    ]);
    expect(await smallTargets(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.evaluate(KEEP_SHIFTS);
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      moving(page, () => page.getByRole('link', { name: 'MetaMask', exact: true }).click()),
    ]);
    const token = anvil.tokens.USDC.address;
    expect(opened.url()).toBe(
      `https://link.metamask.io/send/${token}@${anvil.chainId}/transfer?address=${address}&uint256=62375000`,
    );
    await opened.close();
    // The list is folded, and what was chosen is where a thumb finds it; the help has its place before it comes.
    expect(await page.locator('.button-main:visible').allTextContents()).toEqual(['Open in MetaMask']);
    await page.locator('#nothing-opened').getByText('Did nothing open?').waitFor();
    expect(await shiftsOf(page)).toEqual([]);
    await page.reload();
    expect(await page.locator('.button-main:visible').allTextContents()).toEqual(['Open in MetaMask']);
    expect(await page.locator('#open-last').getAttribute('href')).toBe(
      `https://link.metamask.io/send/${token}@${anvil.chainId}/transfer?address=${address}&uint256=62375000`,
    );
    expect(await page.locator('#open-wallet').textContent()).toBe('Another wallet');
    await eventually(
      () => page.evaluate<number>("document.querySelectorAll('#apps[open]').length"),
      (open) => open === 0,
    );
  });
});

describe('the taps of a buyer, from the page to the wallet’s own confirmation', () => {
  /** Counts what a thumb does. */
  class Thumb {
    taps = 0;

    constructor(readonly page: Page) {}

    async tap(what: string): Promise<void> {
      this.taps += 1;
      await this.page.locator(what).first().click();
    }
  }

  const USDC = 'form:has([name=asset][value=USDC]) button';
  const order = async () => (await api.create({ amount: 49.9, currency: 'CHF' })).body.checkoutUrl;
  const hand = async (phone: Parameters<Buyer['open']>[1] = {}) =>
    new Thumb(await buyer.open(await order(), phone));

  it('are three to a wallet that is named, and two once it is known', async () => {
    const prepare = (blank: Page) =>
      blank.context().route(/metamask/, (route) => route.fulfill({ body: 'Get MetaMask' }));
    const thumb = await hand({ prepare });
    const opened = () => thumb.page.context().waitForEvent('page');
    await thumb.tap(USDC);
    await thumb.tap('#open-wallet');
    const first = await Promise.all([opened(), thumb.tap('.apps a[href*=metamask]')]);
    expect(thumb.taps).toBe(3);
    await first[0].close();

    thumb.taps = 0;
    await thumb.page.goto(await order());
    await thumb.tap(USDC);
    const second = await Promise.all([opened(), thumb.tap('#open-last')]);
    expect(second[0].url()).toContain('metamask');
    expect(thumb.taps).toBe(2);
  });

  it('are two where the wallet is in the browser', async () => {
    const thumb = await hand({ prepare: (blank) => wallet.announceIn(blank.context()) });
    await thumb.tap(USDC);
    await thumb.tap('#browser-wallets button');
    await reach(thumb.page, 'settled');
    expect([wallet.sent, thumb.taps]).toEqual([1, 2]);
  });

  it('are three to both that an exchange asks for', async () => {
    const thumb = await hand(CLIPBOARD);
    await thumb.tap(USDC);
    const { amount, address } = await shown(thumb.page);
    await thumb.tap('#copy-amount');
    await thumb.page.locator('#copy-amount.copied').waitFor();
    expect(await clipboard(thumb.page)).toBe(amount);
    await thumb.tap('#copy-address');
    await thumb.page.locator('#copy-address.copied').waitFor();
    expect(await clipboard(thumb.page)).toBe(address);
    expect(thumb.taps).toBe(3);
  });

  it('are no more without JavaScript', async () => {
    const thumb = await hand({ javaScriptEnabled: false });
    await thumb.tap(USDC);
    await thumb.tap('#open-wallet');
    const { address } = await shown(thumb.page);
    expect(await thumb.page.locator('.apps a[href^="ethereum:"]').getAttribute('href')).toContain(address);
    // The third is on a wallet's name: `ethereum:` leads nowhere here.
    expect(await thumb.page.locator('.apps a:visible').count()).toBeGreaterThan(6);
    expect(thumb.taps).toBe(2);
  });
});
