import type { Browser, Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { PeopleService } from '../../../src/modules/accounts/people/people.service.js';
import { ApiKeysService } from '../../../src/modules/auth/api-keys.service.js';
import type { NewIntent } from '../../../src/modules/intents/lifecycle/domain/request.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { Api } from '../../support/api/api.js';
import { launchChromium } from '../../support/browser/chromium.js';
import { cutNumbers } from '../../support/browser/cut-text.js';
import { overflow, strayUnits } from '../../support/browser/reading.js';
import { choose } from '../../support/checkout/choose.js';
import { type Example, exampleShop } from '../../support/dashboard/dashboard-examples.js';
import { dashboardRoutes } from '../../support/dashboard/dashboard-routes.js';
import {
  anotherSession,
  invited,
  makeOperator,
  query,
  queued,
  withPasskey,
  type World,
} from '../../support/dashboard/dashboard-stage.js';
import { Staff } from '../../support/dashboard/staff.js';
import { by } from '../../support/intents/by.js';
import { applyAllChanges } from '../../support/intents/decided.js';
import { Money } from '../../support/intents/money.js';
import { SILENT_CHAIN } from '../../support/nodes/wallet.js';
import { Service } from '../../support/service/service.js';

// Rules for all pages of the dashboard, of whatever pages there are: a page that somebody adds is found.

const PHONE = { width: 390, height: 844 };
/** The widest screen with cards: what has more than two lines here has them by its design, and not by a long word. */
const WIDEST_WITH_CARDS = { width: 767, height: 844 };

/** Pages of a list begin with the list; a page of one thing, and Home, with how it stands. */
const BEGIN_WITH_A_SENTENCE = (path: string) => path.includes(':') || /^\/dashboard(\/account)?$/.test(path);

/** Rows that hold more than a card's two lines, and what of theirs that is. */
const LARGER_ROWS = [
  '/dashboard/invitations', // the two answers
  '/dashboard/operator', // the machine's figures
  '/dashboard/operator/audit', // what was changed to what
  '/dashboard/settings/audit',
  '/dashboard/settings/payments', // fields
  '/dashboard/settings/wallets', // an address that is compared
  '/dashboard/settings/wallets/addresses',
  '/dashboard/treasury', // what collecting costs, and the button
];

/** Its padding, and two lines of type with a copy button in one of them. */
const TWO_LINES_PX = 16 + 2 * 26;

const FIRST_PART = `(() => {
  const parts = [...document.querySelectorAll('main.main > *')];
  const first = parts.find((part) => !part.matches('.head, .tabs, .tab-bar, .notice, script'));
  return !first || first.matches('.answer, .lead, .empty');
})()`;

/** Ids of ours, and trace IDs, where no developer looks for them. */
const WHOLE_IDS = `(() => {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { textContent, parentElement } = texts.currentNode;
    if (parentElement.closest('.developers, .proof, script, style')) continue;
    found.push(...(textContent.match(/\\b(?:[a-z]{2,3}_[0-9a-z]{30}|[0-9a-f]{32})\\b/g) ?? []));
  }
  return found;
})()`;

const TALL_ROWS = `[...document.querySelectorAll('.table tbody tr')]
  .filter((row) => row.getBoundingClientRect().height > ${TWO_LINES_PX})
  .map((row) => Math.round(row.getBoundingClientRect().height) + ' px: ' + row.innerText.replaceAll('\\n', ' | '))`;

/** What cards do not show to its end. */
const CUT = `[...document.querySelectorAll('.table td, .table td *')].filter((one) => {
    const { overflowX, textOverflow } = getComputedStyle(one);
    const isHidden = one.closest('.spare, .unseen') || one.getClientRects().length === 0;
    if (isHidden || (overflowX === 'visible' && textOverflow === 'clip')) return false;
    return one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1;
  }).map((one) => one.textContent.trim())`;

/** Each tab, by its name and those of its neighbours, with where it begins. */
const TABS_LEFT = `[...document.querySelectorAll('main nav.tabs:not(.views)')].flatMap((nav) => {
    const tabs = [...nav.querySelectorAll('a')];
    const all = tabs.map((one) => one.textContent).join(', ');
    return tabs.map((one) => [one.textContent + ' of ' + all, Math.round(one.getBoundingClientRect().left * 10)]);
  })`;

/** Where the tabs stand: the same on each page that has some. */
const TABS_TOP = `document.querySelector('main .tabs, main .tab-bar')?.getBoundingClientRect().top ?? null`;

/** Columns of numbers whose points do not stand below each other, or which do not end together. */
const CROOKED = `[...document.querySelectorAll('.table table')].flatMap((table) => {
  const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
  return [...table.tHead?.rows[0]?.cells ?? []].flatMap((head, at) => {
    const cells = rows.map((row) => row.cells[at]).filter((cell) => cell?.matches('.number'));
    const lefts = cells.flatMap((cell) => [...cell.querySelectorAll('.point')].map((one) => Math.round(one.getBoundingClientRect().left)));
    const styles = [head, ...cells].map((cell) => getComputedStyle(cell));
    return [
      ...(new Set(lefts).size > 1 ? [head.innerText + ': points at ' + lefts.join(', ')] : []),
      ...(cells.length > 0 && styles.some(({ textAlign }) => textAlign !== 'end') ? [head.innerText + ': ends apart'] : []),
      ...(cells.length > 0 && styles.some(({ fontVariantNumeric }) => fontVariantNumeric !== 'tabular-nums')
        ? [head.innerText + ': digits of different widths'] : []),
    ];
  });
})`;

/** The links of a page's tabs and saved views, and whether each is the current one. */
function tabsOf(html: string): { readonly to: string; readonly isCurrent: boolean }[] {
  return [...html.matchAll(/<nav class="tabs[^>]*>([^]*?)<\/nav>/g)].flatMap(([, bar]) =>
    [...bar!.matchAll(/<a href="([^"]+)"( aria-current="page")?/g)].map(([, href, current]) => ({
      to: href!.replaceAll('&amp;', '&').replaceAll('&#x3D;', '='),
      isCurrent: current !== undefined,
    })),
  );
}

/** Parameters in one order. */
function sorted(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  searchParams.sort();
  return `${pathname}?${searchParams.toString()}`;
}

let service: Service;
let browser: Browser;
let shop: Example;
let review: string;

beforeAll(async () => {
  service = await Service.start({
    chain: SILENT_CHAIN,
    standsAt: 1_000,
  });
  shop = await exampleShop(service, 'Example Shop');
  const { merchantId, owner } = shop;
  const { merchantId: otherId } = await service.shop(undefined, 'Other Shop');
  const world: World = { service, money: new Money(service), merchantId, otherId };
  ({ id: review } = await queued(world));
  const half = await world.money.picked(merchantId);
  await world.money.record(half, { percent: 50 });
  await world.money.endWindowIn(half, -1);
  const whole = await world.money.picked(merchantId); // 10 USDC of 12.5
  await world.money.record(whole, { percent: 80 });
  const long = await world.money.picked(merchantId, 'ethereum', 'ETH');
  await world.money.record(long, { percent: 137.123 });
  await query(world, 'UPDATE intent SET title = $2, idempotency_key = $3 WHERE id = $1', [
    half,
    'Order 1033: Oak dining table, 220 cm, oiled',
    'shop-2026-order-1033',
  ]);
  await applyAllChanges(service);
  const keys = service.app.get(ApiKeysService);
  const { id, key } = await keys.create(merchantId, ['read', 'write'], 'Shop, production', by('test'));
  await new Api(service, key).get(half);
  await keys.revoke(merchantId, id, by('test'));
  await makeOperator(service, owner);
  const me = { id: (await service.app.get(PeopleService).findByEmail(owner.email))!.id, staff: owner };
  await anotherSession(world, me);
  await withPasskey(world, me);
  await invited(world, me);
  browser = await launchChromium({ draws: false });
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** With the ids of things that have something to tell. */
function pathsOf(): { readonly path: string; readonly at: string }[] {
  return dashboardRoutes(service.app)
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => ({
      path,
      at: /^\/dashboard\/(payments|review)\/:id$/.test(path) ? path.replace(':id', review) : shop.at(path),
    }));
}

it.each([
  ['en-GB', 'en'],
  ['de-CH', 'de'],
])(
  'in %s each page of a thing begins with a sentence, no whole id is outside of what is for developers, and cards have two lines of which nothing is cut',
  async (locale, language) => {
    const context = await browser.newContext({ locale, viewport: PHONE, reducedMotion: 'reduce' });
    await context.addCookies([{ ...shop.owner.sessionCookie, url: service.url }]);
    const page = await context.newPage();
    await page.goto(`${service.url}/dashboard`); // so that the reader's zone is known
    const findings: string[] = [];
    const tops = new Map<number, string>();
    let seen = 0;
    for (const { path, at } of pathsOf()) {
      const isPage = await shows(page, at);
      if (!isPage) continue;
      seen++;
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      await page.evaluate('document.querySelectorAll("details").forEach((one) => (one.open = true))');
      if (BEGIN_WITH_A_SENTENCE(path) && !(await page.evaluate<boolean>(FIRST_PART)))
        findings.push(`${path}: begins with no sentence`);
      const ids = await page.evaluate<string[]>(WHOLE_IDS);
      findings.push(...ids.map((id) => `${path}: ${id} is for developers`));
      const top = await page.evaluate<number | null>(TABS_TOP);
      if (top !== null && !tops.has(top)) tops.set(top, path);
      const cut = await page.evaluate<string[]>(CUT);
      findings.push(...cut.map((text) => `${path}: a card cuts ${text}`));
      if (LARGER_ROWS.includes(path.replace(/^\/dashboard\/treasury\/.*/, '/dashboard/treasury'))) continue;
      await page.setViewportSize(WIDEST_WITH_CARDS);
      const tall = await page.evaluate<string[]>(TALL_ROWS);
      findings.push(...tall.map((row) => `${path}: a card of more than two lines, ${row}`));
      await page.setViewportSize(PHONE);
    }
    expect(findings).toEqual([]);
    expect([...tops.values()]).toHaveLength(1);
    expect(seen).toBeGreaterThan(50);
    await context.close();
  },
);

async function shows(page: Page, at: string): Promise<boolean> {
  const headers = { accept: 'text/html', cookie: shop.owner.cookie };
  const response = await fetch(service.url + at, { headers, redirect: 'manual' });
  await response.body?.cancel();
  if (response.status !== 200 || !response.headers.get('content-type')?.startsWith('text/html')) return false;
  await page.goto(service.url + at);
  return (await page.locator('main.main').count()) === 1;
}

it('of the tabs of each list exactly one is current, and it is the one that was opened', async () => {
  const findings: string[] = [];
  const seen = new Set<string>();
  const waiting = [
    ...pathsOf().map(({ at }) => ({ at, asTab: false })),
    // Found by what no tab says, and by what nobody says.
    ...['q=1001', 'status=failed', 'show=nothing', 'show=settled&status=failed&currency=EUR'].map(
      (query) => ({
        at: `/dashboard/payments?${query}`,
        asTab: false,
      }),
    ),
  ];
  for (const { at, asTab } of waiting) {
    if (seen.has(sorted(at))) continue;
    const { html, status } = await shop.owner.get(at);
    const tabs = status === 200 ? tabsOf(html) : [];
    if (tabs.length === 0) continue;
    seen.add(sorted(at));
    const current = tabs.filter(({ isCurrent }) => isCurrent).map(({ to }) => to);
    if (current.length !== 1) findings.push(`${at}: ${current.length} tabs are current`);
    else if (asTab && sorted(current[0]!) !== sorted(at)) findings.push(`${at}: ${current[0]} is current`);
    waiting.push(...tabs.map(({ to }) => ({ at: to, asTab: true })));
  }
  expect(findings).toEqual([]);
  expect(seen.size).toBeGreaterThan(25);
});

it('a tab stands at the same place on each page that has it', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addCookies([{ ...shop.owner.sessionCookie, url: service.url }]);
  const page = await context.newPage();
  const places = new Map<string, Set<number>>();
  for (const { at } of pathsOf()) {
    if (!(await shows(page, at))) continue;
    for (const [tab, left] of await page.evaluate<[string, number][]>(TABS_LEFT))
      places.set(tab, (places.get(tab) ?? new Set()).add(left));
  }
  const moving = [...places].filter(([, lefts]) => lefts.size > 1).map(([tab, lefts]) => [tab, ...lefts]);
  expect(moving).toEqual([]);
  expect(places.size).toBeGreaterThan(10);
  await context.close();
});

it('numbers stand below each other in every table, the treasury’s by their points, and units beside them', async () => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  });
  await context.addCookies([{ ...shop.owner.sessionCookie, url: service.url }]);
  const page = await context.newPage();
  const findings: string[] = [];
  for (const { path, at } of pathsOf()) {
    if (!(await shows(page, at))) continue;
    findings.push(...(await page.evaluate<string[]>(CROOKED)).map((text) => `${path}: ${text}`));
    findings.push(...(await strayUnits(page)).map((text) => `${path}: ${text}`));
    if (path === '/dashboard/treasury') expect(await page.locator('td.number .point').count()).toBe(2);
  }
  expect(findings).toEqual([]);
  await context.close();
});

it('the figures of Home stand in columns of one width on a phone, and each on one line', async () => {
  const { merchantId } = await service.shop(undefined, 'Third Shop');
  const staff = await Staff.of(service, { merchantId, role: 'owner' });
  const money = new Money(service);
  const sums = { CHF: 1_530_940n, EUR: 12_106_160n, USD: 33_990n } as const;
  for (const [currency, amountMinor] of Object.entries(sums)) {
    const request = { amountMinor, currency, title: null, idempotencyKey: null, returnUrl: null };
    const { intent } = await service.app.get(IntentsService).create(merchantId, request as NewIntent);
    await choose(service, intent.id, 'ethereum', 'USDC');
    await money.record(intent.id);
  }
  await applyAllChanges(service);
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  await context.addCookies([{ ...staff.sessionCookie, url: service.url }]);
  const page = await context.newPage();
  await page.goto(`${service.url}/dashboard`);
  const figures = page.locator('.figures > div');
  expect(await figures.count()).toBe(5);
  for (const [width, columns] of [
    [320, 1],
    [360, 2],
    [390, 2],
    [767, 4],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    const boxes = await figures.evaluateAll((all) =>
      all.map((one) => {
        const { left, width: across } = one.getBoundingClientRect();
        return [Math.round(left), Math.round(across)] as const;
      }),
    );
    expect([width, new Set(boxes.map(([left]) => left)).size]).toEqual([width, columns]);
    expect(new Set(boxes.map(([, across]) => across)).size).toBe(1);
    expect(await cutNumbers(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  }
  await context.close();
});

it('on Health a reason why a network is not offered stands below its name, where there is room', async () => {
  const ds = service.app.get(DataSource);
  await ds.query("UPDATE chain_cursor SET synced_at = now() - interval '1 hour' WHERE network = 'ethereum'");
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addCookies([{ ...shop.owner.sessionCookie, url: service.url }]);
  const page = await context.newPage();
  await page.goto(`${service.url}/dashboard/operator`);
  const why = page.locator('[aria-labelledby=networks] td').getByText(/its node shows nothing new/);
  expect((await why.boundingBox())!.width).toBeGreaterThan(190);
  expect(await page.locator('[aria-labelledby=networks] .how').innerText()).toBe('not offered');
  await ds.query("UPDATE chain_cursor SET synced_at = now() + interval '1 day' WHERE network = 'ethereum'");
  await context.close();
});

it('the head of a page names the merchant whole, on the smallest phone too', async () => {
  const { merchantId } = await service.shop(undefined, 'Buchhandlung zum Rindermarkt und Antiquariat');
  const staff = await Staff.of(service, { merchantId, role: 'owner' });
  const drawing = await launchChromium();
  try {
    const context = await drawing.newContext({ viewport: { width: 320, height: 700 } });
    await context.addCookies([{ ...staff.sessionCookie, url: service.url }]);
    const page = await context.newPage();
    await page.goto(`${service.url}/dashboard`);
    const cut = await page.evaluate<
      string[]
    >(`[...document.querySelectorAll('.side-name, .who summary, .head h1')]
      .filter((one) => one.scrollWidth > one.clientWidth || getComputedStyle(one).textOverflow === 'ellipsis')
      .map((one) => one.textContent.trim())`);
    expect(cut).toEqual([]);
    await page.locator('.who summary').click();
    expect(await page.locator('.who-menu').innerText()).toContain(staff.email);
  } finally {
    await drawing.close();
  }
});

it('finds what breaks the rules', async () => {
  const page = await browser.newPage({ viewport: PHONE });
  const id = 'pi_01jd6w3b9hq4v8n2m5x7c1z0k8t3yr';
  await page.setContent(`<main class="main"><header class="head"></header><p>${id.slice(0, 10)}…</p><code>${id}</code>
    <details class="developers" open><code>${id}</code></details><a href="/${id}">x</a>
    <section class="table"><table><tbody><tr><td>a<br>b<br>c<br>d<br>e</td></tr></tbody></table></section></main>`);
  expect(await page.evaluate<boolean>(FIRST_PART)).toBe(false);
  expect(await page.evaluate<string[]>(WHOLE_IDS)).toEqual([id]);
  expect(await page.evaluate<string[]>(TALL_ROWS)).toHaveLength(1);
  await page.setContent(`<section class="table"><table><tbody><tr>
    <td><p style="width: 40px; overflow: hidden; white-space: nowrap">Less arrived</p></td>
    <td><p style="height: 1lh; width: 60px; overflow: hidden">27 Nov, 01:35, and more</p></td><td>whole</td>
    </tr></tbody></table></section>`);
  expect(await page.evaluate<string[]>(CUT)).toEqual(['Less arrived', '27 Nov, 01:35, and more']);
  await page.setContent(`<section class="table"><table><thead><tr><th>Amount</th></tr></thead><tbody>
    <tr><td class="number">1<span class="point">.5</span></td></tr>
    <tr><td class="number">10<span class="point">.25</span></td></tr></tbody></table></section>`);
  expect(await page.evaluate<string[]>(CROOKED)).toEqual([
    expect.stringMatching(/^Amount: points at \d+, \d+$/),
    'Amount: ends apart',
    'Amount: digits of different widths',
  ]);
  await page.close();
});
