import type { Page } from 'playwright-core';

/** Of what is on the page now, in colours that the reader has set: buttons, fields, signs, and where one is. */
const LOOK = `(() => {
  const rgb = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const light = (text) => {
    const [r, g, b] = rgb(text).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const isClear = (text) => rgb(text)[3] === 0;
  const groundOf = (one) => {
    for (let each = one; each; each = each.parentElement) {
      const { backgroundColor } = getComputedStyle(each);
      if (!isClear(backgroundColor)) return backgroundColor;
    }
    return getComputedStyle(document.body).backgroundColor;
  };
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }));
  const what = (one) => one.outerHTML.slice(0, 140);
  const hasLine = (one) => {
    const style = getComputedStyle(one);
    return ['Top', 'Right', 'Bottom', 'Left'].some((side) =>
      style['border' + side + 'Style'] !== 'none' && parseFloat(style['border' + side + 'Width']) > 0 &&
      contrast(style['border' + side + 'Color'], groundOf(one.parentElement)) >= 3);
  };
  // Words that are underlined, a sign, or the arrow of a row that leads on.
  const isTold = (one) => getComputedStyle(one).textDecorationLine.includes('underline') || one.querySelector('svg') !== null ||
    !['none', 'normal'].includes(getComputedStyle(one, '::after').content);
  const bare = seen('button, .button, input:not([type=hidden], [type=checkbox], [type=radio], .unseen), select, textarea')
    .filter((one) => !hasLine(one) && !isTold(one)).map((one) => 'no border: ' + what(one));
  const SHAPES = 'path, circle, rect, line, polyline, polygon';
  const pale = seen('svg').filter((svg) => !svg.closest('.codes, .qr, .unseen')).filter((svg) => {
    const ground = groundOf(svg.parentElement);
    const paints = [...svg.querySelectorAll(SHAPES)].flatMap((shape) => {
      const { fill, stroke } = getComputedStyle(shape);
      return [fill, stroke].filter((paint) => paint.startsWith('rgb') && !isClear(paint));
    });
    return paints.length > 0 && paints.every((paint) => contrast(paint, ground) < 3);
  }).map((svg) => 'not to be seen: ' + what(svg));
  const marks = (one) => {
    const drawn = (style) => JSON.stringify([style.borderBottomColor, style.borderBottomWidth, style.borderBottomStyle,
      style.borderLeftColor, style.borderLeftWidth, style.borderLeftStyle, style.textDecorationLine, style.backgroundColor,
      style.outlineStyle, style.content]);
    return [getComputedStyle(one), getComputedStyle(one, '::before'), getComputedStyle(one, '::after')].map(drawn).join();
  };
  const alike = seen('[aria-current]').flatMap((one) => {
    const others = [...(one.closest('nav, ul, ol') ?? one.parentElement).querySelectorAll(one.tagName)]
      .filter((other) => !other.hasAttribute('aria-current') && other.className === one.className);
    return others.some((other) => marks(other) === marks(one)) ? ['looks like those where one is not: ' + what(one)] : [];
  });
  return [...bare, ...pale, ...alike];
})()`;

/** Leaves the page in its own colours. */
export async function forcedColourFindings(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  const findings = await page.evaluate<string[]>(LOOK);
  await page.emulateMedia({ forcedColors: 'none' });
  return findings;
}
