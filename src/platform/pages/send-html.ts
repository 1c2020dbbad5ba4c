import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';

const compress = promisify(gzip);

/** A twentieth more bytes than zlib's own level, in little more than half of its time. */
const LEVEL = 4;

/**
 * A page, compressed where the browser takes it. Only for pages that hold no secret beside words that somebody else chose:
 * from the length of such a one a secret can be guessed.
 */
export async function sendHtml(request: Request, response: Response, html: string): Promise<void> {
  response.type('html').vary('Accept-Encoding');
  if (request.acceptsEncodings('gzip') === 'gzip') {
    response.set('Content-Encoding', 'gzip').send(await compress(html, { level: LEVEL }));
  } else {
    response.send(html);
  }
}
