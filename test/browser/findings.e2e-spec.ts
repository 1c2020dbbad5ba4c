import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/browser/chromium.js';
import { cutText } from '../support/browser/cut-text.js';
import { forcedColourFindings } from '../support/browser/forced-colours.js';
import { AXE_FILE, axeFindings } from '../support/browser/inspection.js';
import { enlargedFindings, keyboardFindings } from '../support/browser/keyboard.js';
import { movingParts, overflow, smallTargets } from '../support/browser/reading.js';

// That what looks through all pages would find something: each page here has one fault, beside the same without it.

let browsers: Browser[];
let pages: Page[];

beforeAll(async () => {
  browsers = await Promise.all([launchChromium(), launchChromium({ draws: false })]);
  pages = await Promise.all(browsers.map((each) => each.newPage({ viewport: { width: 320, height: 256 } })));
});
afterAll(() => Promise.all(browsers.map((each) => each.close())));

const LINKS = '<p><a href="#1">one</a> <a href="#2">two</a></p>';
/** In a browser that draws, and the same in one that does not. */
const found = async (html: string, look: (page: Page) => Promise<string[]>) => {
  const [drawn, undrawn] = await Promise.all(
    pages.map(async (page) => {
      await page.setContent(`<!doctype html><html lang="en"><title>x</title>${html}`);
      return (await look(page)).map((text) => text.split(/[:<]/, 1)[0]);
    }),
  );
  expect(undrawn).toEqual(drawn);
  return drawn;
};

it.each([
  ['nothing wrong', LINKS, []],
  ['a ring that was taken away', `<style>a:last-of-type { outline: none }</style>${LINKS}`, ['no ring']],
  [
    'what is under a bar that stays',
    `<style>header { position: fixed; inset: auto 0 0 0; height: 120px; background: #ddd }
     p { margin-top: 200px }</style>${LINKS}<header></header>`,
    ['out of sight', 'out of sight'],
  ],
  [
    'another order',
    '<a href="#1" tabindex="3">one</a> <a href="#2" tabindex="2">two</a> <a href="#3" tabindex="1">three</a>',
    ['reached in the order 0 2 1'],
  ],
  [
    'what a script keeps the focus from',
    `${LINKS}<button>three</button><script>document.querySelector('button').onfocus = (one) => one.target.blur()</script>`,
    ['not reached by Tab'],
  ],
])('goes through a page by keyboard and finds %s', async (_what, html, expected) => {
  expect(await found(html, keyboardFindings)).toEqual(expected);
});

it.each([
  ['nothing wrong', LINKS, []],
  [
    'what scrolls sideways',
    '<div style="overflow-x: auto"><p style="width: 500px">wide</p></div>',
    ['auto 500 in 304'],
  ],
  [
    'what is cut off',
    '<div style="overflow: hidden"><p style="width: 500px">wide</p></div>',
    ['hidden 500 in 304'],
  ],
  ['code that may scroll', '<pre style="overflow-x: auto"><span>x</span></pre>', []],
  [
    'a bar that takes the screen',
    '<p style="position: sticky; top: 0; height: 120px">x</p>',
    ['sticky, 120 px high'],
  ],
])('enlarges a page four times and finds %s', async (_what, html, expected) => {
  expect(await found(html, enlargedFindings)).toEqual(expected);
});

const TABS = (style: string) => `<style>a { border-bottom: 2px solid } ${style}</style>
  <nav><a href="#1" aria-current="page">one</a> <a href="#2">two</a></nav>`;

it.each([
  ['nothing wrong', TABS('a:not([aria-current]) { border-bottom-color: Canvas }') + '<button>x</button>', []],
  [
    'a tab that looks like the others',
    TABS('[aria-current] { border-color: red }'),
    ['looks like those where one is not'],
  ],
  [
    'a button that is only a ground',
    '<style>button { border: 0; background: #ddd }</style><button>x</button>',
    ['no border'],
  ],
  [
    'a sign in a colour of its own',
    '<style>svg { forced-color-adjust: none }</style><svg width="9" height="9"><path fill="#fefefe" d="M0 0h9v9z"/></svg>',
    ['not to be seen'],
  ],
])('looks at a page in the reader’s own colours and finds %s', async (_what, html, expected) => {
  expect(await found(html, forcedColourFindings)).toEqual(expected);
});

const BUTTON = (style: string) => `<button style="height: 60px; width: 60px; ${style}">x</button>`;

it.each([
  ['nothing wrong', BUTTON(''), []],
  ['what is too low', BUTTON('height: 43px'), ['x']],
  ['what is too narrow', BUTTON('width: 43px'), ['x']],
  ['a link in a text', '<p>to <a href="#1">one</a></p>', ['one']],
  ['nothing of what is not seen', BUTTON('height: 9px; visibility: hidden') + BUTTON('display: none'), []],
  ['nothing of a field that is unseen', '<input class="unseen"><input type="hidden">', []],
  ['a field', '<input style="height: 20px">', ['']],
])('measures what is touched and finds %s', async (_what, html, expected) => {
  expect(await found(html, smallTargets)).toEqual(expected);
});

const TOO_WIDE = '<p style="width: 500px">wide</p>';

it.each([
  ['nothing wrong', '<main><h1>one</h1></main>', []],
  ['words that can hardly be read', '<main><h1 style="color: #ccc">one</h1></main>', ['color-contrast']],
  [
    'words that cannot be read at night',
    '<style>@media (prefers-color-scheme: dark) { h1 { color: #ccc } }</style><main><h1>one</h1></main>',
    ['color-contrast'],
  ],
  ['a field without a label', '<main><h1>one</h1><input></main>', ['label']],
])('asks axe and finds %s', async (_what, html, expected) => {
  const look = async (page: Page) => {
    await page.evaluate(readFileSync(AXE_FILE, 'utf8'));
    await page.emulateMedia({ colorScheme: 'light' });
    await page.emulateMedia({ colorScheme: 'dark' });
    return axeFindings(page);
  };
  expect(await found(html, look)).toEqual(expected);
});

it.each([
  ['nothing wrong', LINKS, []],
  [
    'a word that is cut',
    '<p style="width: 40px; overflow-wrap: anywhere">internationalisation</p>',
    ['internationalisation in "internationalisation"'],
  ],
  [
    'a number that is cut',
    '<p style="width: 40px; overflow-wrap: anywhere">123456789012</p>',
    ['123456789012 in "123456789012"'],
  ],
  ['what is too wide', TOO_WIDE, ['too wide']],
])('measures words and pages and finds %s', async (_what, html, expected) => {
  const look = async (page: Page) => [
    ...(await cutText(page)),
    ...((await overflow(page)) > 0 ? ['too wide'] : []),
  ];
  expect(await found(html, look)).toEqual(expected);
});

it('finds what has begun to move', async () => {
  const html =
    '<style>p { transition: color 60s } @media (max-width: 300px) { p { color: red } }</style><p>x</p>';
  const look = async (page: Page) => {
    await page.setViewportSize({ width: 320, height: 256 });
    const before = await movingParts(page);
    await page.setViewportSize({ width: 300, height: 256 });
    const after = await movingParts(page);
    await page.setViewportSize({ width: 320, height: 256 });
    return [...before, ...after];
  };
  expect(await found(html, look)).toEqual(['moves']);
});
