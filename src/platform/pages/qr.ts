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
    let end = 0;
    for (let x = row.indexOf(true); x >= 0; x = row.indexOf(true, end)) {
      // From where the one before ended, in the same row: a third less to send.
      path += end === 0 ? `M${x} ${y}.5` : `m${x - end} 0`;
      end = row.indexOf(false, x);
      path += `h${end - x}`;
    }
  }
  return { size: rows.length, path };
}
