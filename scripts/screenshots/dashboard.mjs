const { crawlDashboard } = await import('../../test/support/dashboard-crawl.ts');
const { SandboxProcess } = await import('../../test/support/sandbox.ts');

const DESK = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
/** Of a long page, so much of it is shown. */
const MAX_HEIGHT = 1_800;
/** Of that with all parts, all of it. */
const MAX_PARTS_HEIGHT = 6_000;

/** In the dark and on a phone too, beside the places of the navigation. */
const IMPORTANT = ['/dashboard/payments/:id', '/dashboard/review/:id'];
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
    const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC' });
    const page = await context.newPage();
    for (const [name, path] of Object.entries(STRANGERS))
      yield* pictures(page, name, baseUrl + path, true, name === 'parts' ? MAX_PARTS_HEIGHT : MAX_HEIGHT);
    await signIn(page, dashboard);
    const { pages, places } = await crawlDashboard((path) => read(page.request, baseUrl + path));
    for (const [kind, path] of pages) {
      const everywhere = places.has(kind) || IMPORTANT.includes(kind);
      yield* pictures(page, nameOf(kind), baseUrl + path, everywhere);
    }
    await context.close();
  } finally {
    await sandbox.dispose();
  }
}

async function signIn(page, { url, email, password }) {
  await page.goto(`${url}/sign-in`);
  await page.fill('[name=email]', email);
  await page.fill('[name=password]', password);
  await page.keyboard.press('Enter');
  await page.waitForURL(url);
}

/** What is no page (a file, a thing of somebody else's) is left out. */
async function read(request, url) {
  const response = await request.get(url);
  const isPage = (response.headers()['content-type'] ?? '').startsWith('text/html');
  return isPage && response.status() === 200 ? response.text() : null;
}

function nameOf(kind) {
  const words = kind.split('/').slice(2);
  return words.length === 0 ? 'home' : words.join('-').replaceAll(':id', 'one');
}

async function* pictures(page, name, url, everywhere, maxHeight = MAX_HEIGHT) {
  /** @type {[string, typeof DESK, string][]} */
  const shots = [['desktop-light', DESK, 'light']];
  if (everywhere) shots.push(['desktop-dark', DESK, 'dark'], ['phone-light', PHONE, 'light']);
  for (const [kind, size, colorScheme] of shots) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    await page.goto(url);
    const height = await page.evaluate('document.documentElement.scrollHeight');
    await page.setViewportSize({ ...size, height: Math.min(Math.max(height, size.height), maxHeight) });
    await page.evaluate('scrollTo(0, 0)'); // a field with an error takes the focus, and the page goes there
    yield { name: `${name}-${kind}`, image: await page.screenshot() };
  }
}
