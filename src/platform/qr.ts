import { create } from 'qrcode/lib/core/qrcode.js';

/** Modules of white around the code: readers need four. */
const QUIET_ZONE = 4;

export interface QrDrawing {
  /** Width and height of the drawing in modules, quiet zone included. */
  readonly size: number;
  /** One SVG path of horizontal strokes, one module thick. */
  readonly path: string;
}

/** Draws text as a QR code. Level M: a cracked or glaring screen must still be readable. */
export function drawQr(text: string): QrDrawing {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
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
