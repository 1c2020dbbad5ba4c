import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/browser/chromium.js';
import { forcedColourFindings } from '../support/browser/forced-colours.js';
import { enlargedFindings, keyboardFindings } from '../support/browser/keyboard.js';
import { smallTargets } from '../support/browser/reading.js';

// That what looks through all pages would find something: each page here has one fault, beside the same without it.

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  page = await browser.newPage({ viewport: { width: 320, height: 256 } });
});
afterAll(() => browser.close());

const LINKS = '<p><a href="#1">one</a> <a href="#2">two</a></p>';
const found = async (html: string, look: (page: Page) => Promise<string[]>) => {
  await page.setContent(`<!doctype html><html lang="en"><title>x</title>${html}`);
  return (await look(page)).map((text) => text.split(/[:<]/, 1)[0]);
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
