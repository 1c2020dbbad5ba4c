import type { Page } from 'playwright-core';

/** Addresses and ids are cut where they must be, and compared by groups. */
const CUT_ON_PURPOSE = '.whole, .address, script, noscript, pre';

/** @returns each piece of text on the page that one of the patterns finds, and that stands on two lines */
function onTwoLines(page: Page, ...patterns: readonly RegExp[]): Promise<string[]> {
  return page.evaluate<string[]>(`
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const cut = [];
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.parentElement.closest('${CUT_ON_PURPOSE}')) continue;
      const pieces = [${patterns.map(String).join()}].flatMap((pattern) => [...node.data.matchAll(pattern)]);
      for (const { 0: piece, index } of pieces) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + piece.length);
        const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
        if (lines.size > 1) cut.push(piece + ' in "' + node.data.trim() + '"');
      }
    }
    cut;`);
}

/** Words that were wider than their place, and were broken inside. Hyphens are where a line may end. */
const WORDS = /(?<![\p{L}\d.@/_])\p{L}{2,40}(?![\p{L}\d.@/_])/gu;
/** Numbers, and a number and its unit. */
const NUMBERS = /\d[\d.,:’\u202f]*(\u00a0\p{L}+)?|[A-Z]{3}\u00a0\d[\d.,’\u202f]*/gu;

export const cutWords = (page: Page): Promise<string[]> => onTwoLines(page, WORDS);
export const cutNumbers = (page: Page): Promise<string[]> => onTwoLines(page, NUMBERS);

/** Both in one look. */
export const cutText = (page: Page): Promise<string[]> => onTwoLines(page, NUMBERS, WORDS);
