// All that anybody can see, for whoever looks at it one by one: too much to be committed.
const { catalogues } = await import('../../src/modules/checkout/catalogue/catalogues.ts');
const { checkoutStates } = await import('../../test/support/checkout/checkout-states.ts');
const { crawlDashboard } = await import('../../test/support/dashboard/dashboard-crawl.ts');
const { MailServer } = await import('../../test/support/servers/mail-server.ts');
const { Pages } = await import('../../test/support/checkout/pages.ts');
const { SandboxProcess } = await import('../../test/support/service/sandbox.ts');
const { nameOf, refused, saveViews, signIn, read } = await import('./dashboard.mjs');
const { COLLEAGUE, rarePages } = await import('./rare.mjs');
const { at, LOOK, shots } = await import('./shots.mjs');

/** What a link on a page of the checkout asks for instead of it. */
const STEPS = {
  refund: 'expired-short?refund=1',
  'refund-choose-network': 'expired-other-network?refund=1',
  'refund-again': 'expired-asked?refund=1',
  change: 'waiting?change=1',
  cancel: 'waiting?cancel=1',
};
const FLAWS = ['address-wrong', 'address-ours', 'note-too-long'];
const MERCHANT_PARTS = ['/dashboard/sign-in', '/dashboard/sign-in/forgotten', '/dashboard/nothing-here'];

/** The pictures of each part; `name` begins with its folder. */
export async function* everything(browser) {
  yield* checkout(browser, ['en']);
  yield* withSandbox(browser);
}

/** The checkout alone, in all of its languages: one folder for each that is not English. */
export async function* allLanguages(browser) {
  yield* checkout(browser, Object.keys(catalogues));
}

/** Every state of the checkout, with what its forms refuse and its errors. */
async function* checkout(browser, languages) {
  const pages = await Pages.start(checkoutStates, 'production');
  const paths = [...Object.keys(checkoutStates), 'nothing-of-this-name'];
  paths.push(...FLAWS.map((flaw) => `refused/${flaw}`), 'error/500', 'error/429');
  const named = paths.map((path) => [path.replace('/', '-'), path]);
  named.push(...Object.entries(STEPS).map(([name, path]) => [`step-${name}`, path]));
  const context = await browser.newContext(LOOK);
  // The countdown stands still, or every run would change the pictures.
  await context.addInitScript('performance.now = () => 0; performance.getEntriesByType = () => [];');
  const page = await context.newPage();
  for (const language of languages) {
    const folder = language === 'en' ? 'checkout' : `checkout-${language}`;
    for (const [name, path] of named) {
      const url = new URL(path, `${pages.url}/pay/`);
      url.searchParams.set('lang', language);
      yield* shots(page, `${folder}/${name}`, () => page.goto(url.href));
    }
  }
  await context.close();
  await pages.stop();
}

/** The dashboard, the documents, the sandbox's own pages, and the mails that all of it sends. */
async function* withSandbox(browser) {
  const mailbox = await MailServer.start();
  Object.assign(process.env, { SMTP_URL: mailbox.url, MAIL_FROM: 'Rappen <pay@rappen.example>' });
  const sandbox = await SandboxProcess.create();
  try {
    const { baseUrl, checkoutUrl, dashboard } = await sandbox.start();
    const filled = await sandbox.run('dist/cli/main.js', 'demo', 'fill');
    if (filled.code !== 0) throw new Error(`demo fill failed:\n${filled.stdout}${filled.stderr}`);
    const context = await browser.newContext(LOOK);
    const page = await context.newPage();
    yield* documents(page, baseUrl);
    for (const path of MERCHANT_PARTS) yield* at(page, `dashboard/${nameOf(path)}`, baseUrl + path);
    await signIn(page, dashboard);
    const { pages } = await crawlDashboard((path) => read(page.request, baseUrl + path));
    for (const [kind, path] of pages) yield* at(page, `dashboard/${nameOf(kind)}`, baseUrl + path);
    yield* at(
      page,
      'sandbox/panel',
      `${checkoutUrl}/sandbox/pay/${pages.get('/dashboard/payments/:id')?.split('/').at(-1)}`,
    );
    yield* answers(page, baseUrl);
    yield* shots(page, 'dashboard/settings-refused', () => refused(page, baseUrl));
    yield* at(page, 'dashboard/payments-saved-view', baseUrl + (await saveViews(page, baseUrl)));
    const savedView = await page
      .locator('.narrowing a[href*="/payments/views/"]')
      .last()
      .getAttribute('href');
    yield* at(page, 'dashboard/payments-view-rename', baseUrl + savedView);
    yield* mails(page, mailbox);
    const inGerman = await browser.newContext({
      ...LOOK,
      locale: 'de-CH',
      storageState: await context.storageState(),
    });
    const german = await inGerman.newPage();
    for (const [kind, path] of pages) yield* at(german, `german/${nameOf(kind)}`, baseUrl + path);
    await inGerman.close();
    await context.close();
    yield* rarePages(browser, { sandbox, dashboard, mailbox });
  } finally {
    await sandbox.dispose();
    await mailbox.stop();
  }
}

async function* documents(page, baseUrl) {
  const documents = { home: '/', docs: '/docs', problems: '/problems', 'not-found': '/nothing-here' };
  for (const [name, path] of Object.entries(documents)) yield* at(page, `documents/${name}`, baseUrl + path);
  await page.goto(`${baseUrl}/problems`);
  const found = await page.locator('a[href^="/problems/"], a[href*="/problems/"]').all();
  const links = new Set(await Promise.all(found.map((link) => link.getAttribute('href'))));
  for (const link of links)
    yield* at(page, `documents/problem-${link.split('/').at(-1)}`, new URL(link, baseUrl).href);
  yield* at(page, 'sandbox/parts', `${baseUrl}/sandbox/parts`);
}

/** Pages that are the answer to a form of one field, which no link leads to. */
async function* answers(page, baseUrl) {
  const forms = [
    ['key-created', 'developers/keys/new', 'label', 'Shop, production'],
    ['webhook-created', 'developers/webhooks/new', 'url', `${baseUrl}/sandbox/webhook`],
    ['wallet-compared', 'settings/wallets/address', 'address', '0x52908400098527886E0F7030069857D2E4169EE7'],
    ['key-refused', 'settings/wallets/new', 'xpub', 'what I found in my wallet'],
    ['person-invited', 'settings/people/new', 'email', COLLEAGUE],
  ];
  for (const [name, path, field, value] of forms) {
    await page.goto(`${baseUrl}/dashboard/${path}`);
    await page.fill(`[name=${field}]`, value);
    await page.locator('main form .button-main').last().click();
    await page.waitForLoadState('load');
    yield* shots(page, `dashboard/${name}`, null);
  }
}

/** One of each subject. */
async function* mails(page, mailbox) {
  const seen = new Set();
  for (const { html } of [...mailbox.mails]) {
    const subject = /<title>(.*?)<\/title>/s.exec(html)?.[1] ?? '';
    const name = subject
      .toLowerCase()
      .replaceAll(/[^a-z]+/g, '-')
      .slice(0, 50);
    if (html === '' || seen.has(name)) continue;
    seen.add(name);
    yield* shots(page, `mails/${name}`, async () => {
      await page.goto('about:blank');
      await page.setContent(html);
    });
  }
}
