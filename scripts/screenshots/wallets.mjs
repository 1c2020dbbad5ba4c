// A new merchant's way from an address to money in its wallet, walked in a sandbox as anybody would: the pictures of
// docs/wallets.md. What cannot be done on the way throws.
import { getAddress } from 'viem';

const { eventually } = await import('../../test/support/servers/receiver.ts');
const { SandboxProcess } = await import('../../test/support/service/sandbox.ts');

const DESK = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const MAX_HEIGHT = 1_400;
/** Of the local chain's accounts, which its node signs for: the first ones hold its tokens and play buyers. */
const [OURS, BUYERS] = [6, 8];

/** As extensions announce themselves (EIP-6963). It asks this process, and the local chain signs. */
const WALLET = `
  const provider = {
    request: async ({ method, params }) => (await window.walletAsk(method, params ?? [])).result,
  };
  const info = { uuid: 'd0b2', name: 'My Wallet', icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>', rdns: 'my.wallet' };
  window.addEventListener('eip6963:requestProvider', () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } })),
  );`;

export async function* walletPictures(browser) {
  const sandbox = await SandboxProcess.create();
  try {
    const { baseUrl, checkoutUrl, dashboard, apiKey, networks } = await sandbox.start();
    const ask = rpcOf(networks.ethereum.rpcUrl);
    const accounts = await ask('eth_accounts');
    const [wallet, buyer] = [accounts[OURS], accounts[BUYERS]].map((one) => getAddress(one));
    const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC' });
    await context.exposeFunction('walletAsk', async (method, params) => ({
      result: method === 'eth_requestAccounts' ? [wallet] : await ask(method, params),
    }));
    await context.addInitScript({ content: WALLET });
    const page = await context.newPage();
    page.setDefaultTimeout(90_000);
    await signIn(page, dashboard);
    const later = page.getByRole('button', { name: 'Later' });
    await later.click();
    await later.waitFor({ state: 'hidden' });

    await page.goto(`${baseUrl}/dashboard/settings/wallets`);
    await page.getByRole('link', { name: 'Set a wallet' }).click();
    await page.getByLabel('Network').selectOption('ethereum');
    await page.getByLabel('Your address').fill(wallet);
    yield await shot(page, '1-paste');
    await page.getByRole('button', { name: 'Look at it' }).click();
    yield await shot(page, '2-compare');
    await page.getByRole('button', { name: 'It is the same: save' }).click();
    await page.getByText('Saved.').waitFor();

    const id = await charge(baseUrl, apiKey);
    await page.goto(`${checkoutUrl}/pay/${id}`);
    const usdc = 'form:has([name=asset][value=USDC]):has([name=network][value=ethereum])';
    await page.locator(`${usdc} button`).click();
    await page.locator('#address').waitFor();
    yield await shot(page, '3-checkout', PHONE);
    await page.locator('#record > summary').click();
    yield { name: '4-check-the-address', image: await page.locator('#record').screenshot() };
    await pay(sandbox, id);
    await page.goto(`${checkoutUrl}/pay/${id}`);
    await page.locator('[data-state=settled]').waitFor();
    yield await shot(page, '5-paid', PHONE);

    await page.goto(`${baseUrl}/dashboard/treasury`);
    await reloadedUntil(page, async () => (await page.getByText('not final yet').count()) === 0);
    yield await shot(page, '6-treasury');
    await page.getByRole('link', { name: 'Collect USDC on Ethereum' }).click();
    const collect = page.getByRole('button', { name: 'Collect with My Wallet' });
    await collect.waitFor();
    yield await shot(page, '7-collect');
    await collect.click();
    await page.getByText(/^Collected .* USDC\. It is final\.$/).waitFor();
    yield await shot(page, '8-collected');

    // The buyer pays once more by mistake, and says where it may go back to.
    await pay(sandbox, id, '--amount', '12.5');
    await page.goto(`${checkoutUrl}/pay/${id}`);
    // Once it is final: what can still be undone is not sent back.
    const leave = page.getByRole('link', { name: 'Leave a refund address' });
    await reloadedUntil(page, async () => (await leave.count()) > 0);
    await leave.click();
    await page.locator('[name=address]').fill(buyer);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.goto(`${baseUrl}/dashboard/review/${id}`);
    await page.getByRole('link', { name: 'Send money back' }).click();
    await page.getByLabel('Why').fill('Paid once more by mistake; the buyer confirmed the address by phone.');
    yield await shot(page, '9-refund');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Pay it' }).click();
    const send = page.getByRole('button', { name: 'Send with My Wallet' });
    await send.waitFor();
    yield await shot(page, '10-send-it-back');
    await send.click();
    await page.locator('.state', { hasText: /^Final$/ }).waitFor();
    yield await shot(page, '11-sent-back');
    await page.goto(`${checkoutUrl}/pay/${id}`);
    yield await shot(page, '12-the-buyer-is-told', PHONE);
    await context.close();
  } finally {
    await sandbox.dispose();
  }
}

async function reloadedUntil(page, holds) {
  await eventually(
    async () => {
      await page.reload();
      return holds();
    },
    (done) => done,
    90_000,
  );
}

async function shot(page, name, size = DESK) {
  await page.setViewportSize(size);
  const height = await page.evaluate('document.documentElement.scrollHeight');
  await page.setViewportSize({ ...size, height: Math.min(Math.max(height, size.height), MAX_HEIGHT) });
  const image = await page.screenshot();
  await page.setViewportSize(DESK);
  return { name, image };
}

async function signIn(page, { url, email, password }) {
  await page.goto(`${url}/sign-in`);
  await page.fill('[name=email]', email);
  await page.fill('[name=password]', password);
  await page.keyboard.press('Enter');
  await page.waitForURL(url);
}

async function charge(baseUrl, apiKey) {
  const response = await fetch(`${baseUrl}/api/v1/intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 49.9, currency: 'CHF', title: 'Order 1042: two bags of coffee' }),
  });
  if (response.status !== 201) throw new Error(`no payment: ${response.status} ${await response.text()}`);
  const { id } = /** @type {{ id: string }} */ (await response.json());
  return id;
}

async function pay(sandbox, id, ...more) {
  const { code, stdout, stderr } = await sandbox.run(
    'dist/cli/pay.js',
    id,
    '--asset',
    'USDC',
    '--network',
    'ethereum',
    ...more,
  );
  if (code !== 0) throw new Error(`npm run pay failed:\n${stdout}${stderr}`);
}

function rpcOf(url) {
  return async (method, params = []) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { result, error } = /** @type {any} */ (await response.json());
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
}
