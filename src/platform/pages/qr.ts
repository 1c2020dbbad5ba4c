import { create } from 'qrcode/lib/core/qrcode.js';
import { RecentlyUsed } from '../../kernel/recently-used.js';

/** Modules of white around the code: readers need four. */
const QUIET_ZONE = 4;

export interface QrDrawing {
  /** Width and height of the drawing in modules, quiet zone included. */
  readonly size: number;
  /** One SVG path of horizontal strokes, one module thick. */
  readonly path: string;
}

/** Some 8 kB each. A page is drawn anew at every look, and its code stays the same. */
const KEPT = 1_000;
const kept = new RecentlyUsed<QrDrawing>(KEPT);

/** A text as a QR code: the last thousand drawings are kept. */
export function drawQr(text: string): QrDrawing {
  return kept.get(text, () => draw(text));
}

/**
 * Level M: a cracked or glaring screen must still be readable. As bytes alone: to look for cheaper segments
 * takes longer than to draw a link, and finds next to nothing in mixed letters and digits.
 */
function draw(text: string): QrDrawing {
  const { modules } = create([{ data: Buffer.from(text), mode: 'byte' }], { errorCorrectionLevel: 'M' });
  let path = '';
  for (let row = 0; row < modules.size; row++) {
    let column = 0;
    while (column < modules.size) {
      const start = column;
      while (column < modules.size && modules.get(row, column)) column++;
      if (column > start) path += `M${start + QUIET_ZONE} ${row + QUIET_ZONE}.5h${column - start}`;
      else column++;
    }
  }
  return { size: modules.size + 2 * QUIET_ZONE, path };
}
