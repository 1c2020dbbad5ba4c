import { encodeQR } from 'qr';

/** Modules of white around the code: readers need four. */
const QUIET_ZONE = 4;

export interface QrDrawing {
  /** Width and height of the drawing in modules, quiet zone included. */
  readonly size: number;
  /** One SVG path of horizontal strokes, one module thick. */
  readonly path: string;
}

/**
 * A text as a QR code. Level M: a cracked or glaring screen must still be readable. As bytes alone: cheaper segments would
 * save next to nothing in mixed letters and digits.
 */
export function drawQr(text: string): QrDrawing {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', encoding: 'byte', border: QUIET_ZONE });
  let path = '';
  for (const [y, row] of rows.entries()) {
    for (let x = row.indexOf(true); x >= 0;) {
      const end = row.indexOf(false, x);
      path += `M${x} ${y}.5h${end - x}`;
      x = row.indexOf(true, end);
    }
  }
  return { size: rows.length, path };
}
