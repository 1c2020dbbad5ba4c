const { crawlDashboard } = await import('../../test/support/dashboard/dashboard-crawl.ts');
const { SandboxProcess } = await import('../../test/support/service/sandbox.ts');

const DESK = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
/** @type {[string, typeof DESK, string][]} */
const ON_A_DESK = [['desktop-light', DESK, 'light']];
/** @type {typeof ON_A_DESK} */
const PHONE_TOO = [...ON_A_DESK, ['phone-light', PHONE, 'light']];
/** @type {typeof ON_A_DESK} */
const EVERYWHERE = [...PHONE_TOO, ['desktop-dark', DESK, 'dark']];
/** Of a long page, so much of it is shown. */
const MAX_HEIGHT = 1_800;
/** Of that with all parts, all of it. */
const MAX_PARTS_HEIGHT = 6_000;

/** In the dark and on a phone too, beside the places of the navigation. */
const IMPORTANT = ['/dashboard/payments/:id', '/dashboard/review/:id'];
/** In German too, on a desk and on a phone. */
const GERMAN = [
  '/dashboard',
  '/dashboard/payments',
  '/dashboard/payments/:id',
  '/dashboard/review/:id',
  '/dashboard/settings',
  '/dashboard/settings/payments',
  '/dashboard/settings/audit',
];
const STRANGERS = { 'sign-in': '/dashboard/sign-in', parts: '/sandbox/parts' };

/**
 * Every page that links lead to, one of each kind. Ids, times and rates differ from run to run; what is there, and in
 * which state, does not.
 */
export async function* dashboardPictures(browser) {
  const sandbox = await SandboxProcess.create();
  try {
    const { baseUrl, dashboard } = await sandbox.start();
    const filled = await sandbox.run('dist/cli/main.js', 'demo', 'fill');
    if (filled.code !== 0) throw new Error(`demo fill failed:\n${filled.stdout}${filled.stderr}`);
    const inEnglish = { reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC' };
    const context = await browser.newContext(inEnglish);
    const page = await context.newPage();
    for (const [name, path] of Object.entries(STRANGERS))
      yield* pictures(
        page,
        name,
        baseUrl + path,
        EVERYWHERE,
        name === 'parts' ? MAX_PARTS_HEIGHT : MAX_HEIGHT,
      );
    await signIn(page, dashboard);
    const { pages, places } = await crawlDashboard((path) => read(page.request, baseUrl + path));
    for (const [kind, path] of pages) {
      const everywhere = places.has(kind) || IMPORTANT.includes(kind);
      yield* pictures(page, nameOf(kind), baseUrl + path, everywhere ? EVERYWHERE : ON_A_DESK);
    }
    yield* pictures(page, 'settings-refused', () => refused(page, baseUrl), PHONE_TOO);
    const saved = await saveViews(page, baseUrl);
    yield* pictures(page, 'payments-saved-view', baseUrl + saved, PHONE_TOO);

    const storageState = await context.storageState();
    const inGerman = await browser.newContext({ ...inEnglish, locale: 'de-CH', storageState });
    const german = await inGerman.newPage();
    for (const kind of GERMAN)
      yield* pictures(german, `german-${nameOf(kind)}`, baseUrl + pages.get(kind), PHONE_TOO);
    yield* pictures(german, 'german-settings-refused', () => refused(german, baseUrl), PHONE_TOO);
    await inGerman.close();
    await context.close();
  } finally {
    await sandbox.dispose();
  }
}

/** A form that is sent with what nobody should type. */
export async function refused(page, baseUrl) {
  await page.goto(`${baseUrl}/dashboard/settings`);
  await page.fill('[name=support]', 'ring us');
  await page.fill('[name=alerts]', 'nobody');
  await page.click('main form .button-main');
  await page.getByRole('alert').waitFor();
}

/** @returns the path of the last of them */
export async function saveViews(page, baseUrl) {
  const views = { 'Large orders': 'min=500', 'Paid with USDC': 'show=settled&asset=USDC%40ethereum' };
  for (const [name, query] of Object.entries(views)) {
    await page.goto(`${baseUrl}/dashboard/payments/views/new?${query}`);
    await page.fill('[name=name]', name);
    await page.click('main form .button-main');
    await page.waitForURL(/payments\?/);
  }
  return page.url().slice(baseUrl.length);
}

export async function signIn(page, { url, email, password }) {
  await page.goto(`${url}/sign-in`);
  await page.fill('[name=email]', email);
  await page.fill('[name=password]', password);
  await page.keyboard.press('Enter');
  await page.waitForURL(url);
}

/** What is no page (a file, a thing of somebody else's) is left out. */
export async function read(request, url) {
  const response = await request.get(url);
  const isPage = (response.headers()['content-type'] ?? '').startsWith('text/html');
  return isPage && response.status() === 200 ? response.text() : null;
}

export function nameOf(kind) {
  const words = kind.split('/').slice(2);
  return words.length === 0 ? 'home' : words.join('-').replaceAll(':id', 'one');
}

/** @param {string | (() => Promise<void>)} load an address, or what is done to come to the page */
async function* pictures(page, name, load, shots, maxHeight = MAX_HEIGHT) {
  for (const [kind, size, colorScheme] of shots) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    await (typeof load === 'string' ? page.goto(load) : load());
    const height = await page.evaluate('document.documentElement.scrollHeight');
    await page.setViewportSize({ ...size, height: Math.min(Math.max(height, size.height), maxHeight) });
    await page.evaluate('scrollTo(0, 0)'); // a field with an error takes the focus, and the page goes there
    yield { name: `${name}-${kind}`, image: await page.screenshot() };
  }
}
