import { Worker } from 'node:worker_threads';
import { sourceFile } from '../../../config/project-files.js';
import { about, DomainError, type ProblemSlug } from '../../../kernel/domain-error.js';
import { pictureOf } from '../domain/picture.js';
import type { Logo } from '../merchants.types.js';

const DRAWER = sourceFile('modules/merchants/logos/logo-drawer.mjs');

/** Unpacked it takes four bytes a pixel, and some times that while it is made smaller. */
const MAX_LOGO_PIXELS = 4_000_000;
const MAX_LOGO_FILE_BYTES = 1024 * 1024;
/** What the page itself leaves of the 30 kB of a phone's first view. The database holds it to that too. */
export const MAX_LOGO_BYTES = 4_096;
/** Twice what the checkout shows, for screens of that density. */
const BOX = { width: 256, height: 64 };
/** A busy machine takes one. */
const TIME_LIMIT_MS = 10_000;
/** Each takes up to a hundred megabytes for a moment. */
const MAX_WAITING = 4;

let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

export interface DrawnLogo extends Pick<Logo, 'width' | 'height' | 'bright'> {
  readonly png: Uint8Array;
}

/**
 * The picture as we draw it: a small PNG with nothing in it but its pixels. Whatever else the file held (where a photograph
 * was taken, a profile, a second picture, a script) is gone.
 * @throws DomainError `payload-too-large` for a file that is; `validation-error` for what is no picture, has too many pixels, or
 *   is too detailed to be small; `unavailable`
 */
export async function drawLogo(file: Uint8Array): Promise<DrawnLogo> {
  const picture = pictureOf(file);
  if (file.length > MAX_LOGO_FILE_BYTES)
    throw refused('too_large', 'The file is larger than 1 MB.', 'payload-too-large');
  if (!picture)
    throw refused('invalid', 'This is no PNG, JPEG or WebP picture. Other kinds are not taken, SVG neither.');
  if (picture.width * picture.height > MAX_LOGO_PIXELS)
    throw refused(
      'too_large',
      'The picture has more than 4 million pixels. Make it smaller: 512 pixels wide are plenty.',
    );
  if (waiting >= MAX_WAITING)
    throw new DomainError(
      'unavailable',
      'unavailable',
      'Other pictures are being drawn just now. Try again.',
      {
        headers: { 'Retry-After': '5' },
      },
    );
  waiting += 1;
  const answer = last.then(() => drawn({ file, picture })).finally(() => (waiting -= 1));
  last = answer.catch(() => undefined);
  return answer;
}

function drawn(work: { file: Uint8Array; picture: object }): Promise<DrawnLogo> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(DRAWER, {
      workerData: { ...work, box: BOX, maxBytes: MAX_LOGO_BYTES },
      stdout: true,
      stderr: true,
    });
    const unreadable = refused('invalid', 'The picture could not be read. It may be damaged.');
    const timer = setTimeout(() => void worker.terminate(), TIME_LIMIT_MS);
    worker.once('message', (logo: DrawnLogo | null) => {
      if (logo) resolve(logo);
      else
        reject(refused('too_detailed', 'The picture is too detailed for a small logo. Use a simpler one.'));
      void worker.terminate();
    });
    worker.once('error', () => reject(unreadable));
    // Whatever happened, it exits if it does not answer.
    worker.once('exit', () => {
      clearTimeout(timer);
      reject(unreadable);
    });
  });
}

function refused(code: string, detail: string, slug: ProblemSlug = 'validation-error'): DomainError {
  return new DomainError('invalid', slug, detail, about('logo', detail, code));
}
